/**
 * What a conference.md says differently than the plan that was confirmed (03 Grants): its plan part, or a section that
 * round 1 quoted. Everything else in it may change as the user likes.
 */
import { dirname, isAbsolute } from 'node:path';
import { CONFERENCE_MD, type Planned } from '@x/conference-core';
import { canonicalJson, type Plan } from '@x/protocol';
import { gateConferenceMd } from './gate-conference-md.ts';

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
export function conferenceMdDrift(text: string, { plan }: Planned, folder: string): string[] {
  const { gate } = gateConferenceMd(text, { folder, passEnv: plan.pass_env });
  if (!gate.complete) {
    const fields = gate.findings.map(({ field }) => field).join(', ');
    return [`${CONFERENCE_MD} is not complete any more: ${fields}`];
  }
  const written = gateConferenceMd(text, { folder: null, passEnv: plan.pass_env }).gate;
  const changed = changedParts(plan, gate.plan, written.complete ? written.plan : gate.plan);
  const quoted = changedQuotes(plan.context, gate.plan.context);
  return [
    ...(changed.length === 0 ? [] : [`${CONFERENCE_MD} changed in its plan part: ${changed.join(', ')}`]),
    ...(quoted.length === 0 ? [] : [`${CONFERENCE_MD} changed in what round 1 quoted: ${quoted.join(', ')}`]),
  ];
}

/** `written`: the plan with its roots as they stand in the file. */
function changedParts(planned: Plan, now: Plan, written: Plan): string[] {
  const before = new Map<string, unknown>(Object.entries(planned));
  const after = new Map<string, unknown>(Object.entries(now));
  const parts = new Set([...before.keys(), ...after.keys()].filter((part) => !NOT_IN_FILE.has(part)));
  const changed = [...parts].filter(
    (part) => canonicalJson(before.get(part) ?? null) !== canonicalJson(after.get(part) ?? null),
  );
  return changed.every((part) => ROOTS.has(part)) && haveMoved(planned, written) ? [] : changed;
}

const ROOTS: ReadonlySet<string> = new Set(['allowed_read_roots', 'forbidden_read_roots', 'write_root']);

function rootsOf(plan: Plan): string[] {
  const { allowed_read_roots, forbidden_read_roots, write_root } = plan;
  return [
    ...allowed_read_roots,
    `${allowed_read_roots.length}`,
    ...forbidden_read_roots,
    ...(write_root === null ? [] : [write_root]),
  ];
}

/**
 * `run FILE --write-to OUT` copies the file, and its relative roots were resolved where it came from. That folder is not
 * recorded (paths in events are relative), so they are the same if one folder gives all of them.
 */
function haveMoved(planned: Plan, written: Plan): boolean {
  const [before, after] = [rootsOf(planned), rootsOf(written)];
  /** Ancestors of the folder of origin that the roots tell, by how far above it they are. */
  const ancestors = new Map<number, string>();
  const fits =
    before.length === after.length &&
    after.every((root, index) => {
      const was = before[index] ?? '';
      if (root === was) return true;
      if (isAbsolute(root)) return false;
      const [, ups = '', rest = ''] = /^((?:\.{1,2}(?:\/|$))*)(.*?)\/*$/.exec(root) ?? [];
      const tail = rest === '' ? '' : `/${rest}`;
      if (!was.endsWith(tail)) return false;
      const level = ups.split('/').filter((step) => step === '..').length;
      const ancestor = was.slice(0, was.length - tail.length) || '/';
      const known = ancestors.get(level) ?? ancestor;
      ancestors.set(level, known);
      return known === ancestor;
    });
  return fits && areOneLine([...ancestors].toSorted(([one], [other]) => one - other));
}

/** Whether each ancestor is that many folders above the one before. */
function areOneLine(ancestors: readonly (readonly [level: number, folder: string])[]): boolean {
  return ancestors.every(([level, folder], index) => {
    const [lower, from] = ancestors[index - 1] ?? [level, folder];
    let at = from;
    for (let step = lower; step < level; step += 1) at = dirname(at);
    return at === folder;
  });
}

function changedQuotes(before: Plan['context'], after: Plan['context']): string[] {
  const sources = new Set([...before, ...after].map(({ source }) => source));
  const digests = (context: Plan['context'], source: string): string =>
    context.flatMap((one) => (one.source === source ? [one.digest] : [])).join(' ');
  return [...sources].filter((source) => digests(before, source) !== digests(after, source));
}
