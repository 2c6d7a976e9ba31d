/**
 * What a conference.md says differently than the plan that was confirmed (03 Grants): its plan part, or a section that
 * round 1 quoted. Everything else in it may change as the user likes.
 */
import { CONFERENCE_MD, type Given, type Planned } from '@x/conference-core';
import { canonicalJson, digestOfJson, type Digest, type Plan } from '@x/protocol';
import { gateConferenceMd } from './gate-conference-md.ts';
import { readConferenceMd } from './read-conference-md.ts';

/** The text with its BOM; null for bytes that are no UTF-8. */
export function conferenceMdText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Parts of a plan that no conference.md says: they came with the command, and a later version may have other defaults. */
const NOT_IN_FILE: ReadonlySet<string> = new Set(['v', 'limits', 'rules', 'pass_env', 'context']);

/** What differs, in words; empty: nothing. `folder`: where the file is. Pure but for the home folder; never throws. */
export function conferenceMdDrift(
  text: string,
  { plan, written_roots_digest }: Planned,
  folder: string,
): string[] {
  const { gate } = gateConferenceMd(text, { folder, passEnv: plan.pass_env });
  if (!gate.complete) {
    const fields = gate.findings.map(({ field }) => field).join(', ');
    return [`${CONFERENCE_MD} is not complete any more: ${fields}`];
  }
  const changed = changedParts(plan, gate.plan, writtenRootsDigest(text) === written_roots_digest);
  const quoted = changedQuotes(plan.context, gate.plan.context);
  return [
    ...(changed.length === 0 ? [] : [`${CONFERENCE_MD} changed in its plan part: ${changed.join(', ')}`]),
    ...(quoted.length === 0 ? [] : [`${CONFERENCE_MD} changed in what round 1 quoted: ${quoted.join(', ')}`]),
  ];
}

/** `areRootsAsWritten`: the roots stand in the file as they stood, so that a copy of it elsewhere names the same ones. */
function changedParts(planned: Plan, now: Plan, areRootsAsWritten: boolean): string[] {
  const before = new Map<string, unknown>(Object.entries(planned));
  const after = new Map<string, unknown>(Object.entries(now));
  const parts = new Set([...before.keys(), ...after.keys()].filter((part) => !NOT_IN_FILE.has(part)));
  const changed = [...parts].filter(
    (part) => canonicalJson(before.get(part) ?? null) !== canonicalJson(after.get(part) ?? null),
  );
  return areRootsAsWritten ? changed.filter((part) => !ROOTS.has(part)) : changed;
}

const ROOTS: ReadonlySet<string> = new Set(['allowed_read_roots', 'forbidden_read_roots', 'write_root']);

/**
 * Of the roots as a text writes them. `run FILE --write-to OUT` copies the file, and its relative roots were resolved where it
 * came from: that folder is not recorded (paths in events are relative), what the file says is.
 */
export function writtenRootsDigest(text: string): Digest {
  const { values, lists } = readConferenceMd(text, null).input;
  const texts = (given: readonly Given[] | undefined): string[] => (given ?? []).map((one) => one.text);
  return digestOfJson({
    allowed_read_roots: texts(lists.allowed_read_roots),
    forbidden_read_roots: texts(lists.forbidden_read_roots),
    write_root: texts(values.write_root),
  });
}

function changedQuotes(before: Plan['context'], after: Plan['context']): string[] {
  const sources = new Set([...before, ...after].map(({ source }) => source));
  const digests = (context: Plan['context'], source: string): string =>
    context.flatMap((one) => (one.source === source ? [one.digest] : [])).join(' ');
  return [...sources].filter((source) => digests(before, source) !== digests(after, source));
}
