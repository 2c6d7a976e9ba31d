/**
 * Whether a conference folder is what its ledger says (07 verify): chain, content, artifacts, and a missing tail.
 *
 * The first thing that is wrong is named; the rest is counted. What cannot be proved is said, not passed over.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  allRows,
  CONFERENCE_MD,
  EVENTS_JSONL,
  FINAL_REPORT_MD,
  owedArtifacts,
  readLedgerLine,
  type State,
} from '@x/conference-core';
import { recheckDispatch, type Chair } from '@x/conference-core/chair';
import { digestHex, EVENT_PAYLOADS, documentPath, type ConferenceEvent } from '@x/protocol';
import type { Failure } from '../output.ts';
import { owedDigest, planDrift } from '../recovery/drift.ts';
import { readingChair } from '../store/reading-chair.ts';
import { readFolder } from '../store/read-folder.ts';
import { fileBytes, fileDigest } from '../store/regular-file.ts';

/** Something that is not as the ledger says. */
export interface VerifyFinding {
  /** A file of the folder, or a line of the ledger. */
  readonly where: string;
  readonly problem: string;
}

export interface Verification {
  readonly holds: boolean;
  readonly events: number;
  readonly head: string;
  readonly findings: readonly VerifyFinding[];
  /** Bytes that no event names: harmless, left by an interruption. */
  readonly orphans: readonly string[];
  readonly proved: readonly string[];
  readonly not_proved: readonly string[];
}

/** Findings that are listed one by one. */
const FINDINGS_MAX = 50;

export type VerifyResult =
  | { readonly ok: true; readonly verification: Verification }
  | { readonly ok: false; readonly failure: Failure };

/** Reads everything, changes nothing. `deep`: each payload against its schema, too. */
export async function verifyFolder(
  folder: string,
  { deep }: { readonly deep: boolean },
): Promise<VerifyResult> {
  const findings: VerifyFinding[] = [];
  const digests: string[] = [];
  const read = await readFolder(folder, (event, seq, digest) => {
    digests.push(digest);
    if (deep) findings.push(...payloadFindings(event, seq));
  });
  if (!read.ok) return { ok: false, failure: read.failure };
  const { state, head } = read;
  const { chair, close } = readingChair(folder, state);
  for (const row of allRows(state)) {
    const problem = recheckDispatch(chair, row);
    if (problem !== null) findings.push({ where: `dispatch ${row.dispatch_id}`, problem });
  }
  const unrecorded = unrecordedArtifacts(folder, chair);
  close();
  findings.push(
    ...contextFindings(folder, state),
    ...artifactFindings(folder, state, unrecorded),
    ...sourceFinding(folder, state, unrecorded),
  );
  const tail = tailFindings(folder, state, { digests, unrecorded });
  findings.push(...tail.findings);
  if (read.inFlightBytes > 0 && !read.running) {
    findings.push({
      where: EVENTS_JSONL,
      problem: `${read.inFlightBytes} bytes after the last line are torn; the next writer sets them aside`,
    });
  }
  const verification: Verification = {
    holds: findings.length === 0,
    events: head.seq,
    head: head.digest,
    findings: findings.slice(0, FINDINGS_MAX),
    orphans: [...orphansOf(folder, state), ...unrecorded].toSorted(),
    proved: [
      `the chain of ${head.seq} events`,
      'content of every accepted packet, and the facts and charters made from it',
      `${state.artifacts.size} artifacts`,
      ...(deep ? ['every payload against its schema'] : []),
      ...tail.proved,
    ],
    not_proved: tail.notProved,
  };
  return { ok: true, verification };
}

function payloadFindings(event: ConferenceEvent, seq: number): VerifyFinding[] {
  const parsed = EVENT_PAYLOADS[event.event].safeParse(event.payload);
  if (parsed.success) return [];
  const [issue] = parsed.error.issues;
  return [
    {
      where: `${EVENTS_JSONL} line ${seq}`,
      problem: `${event.event} ${documentPath(issue?.path ?? [])}: ${issue?.message ?? 'not as its schema says'}`,
    },
  ];
}

/** The texts that the plan quotes to round 1; their digests stand in the plan. */
function contextFindings(folder: string, state: State): VerifyFinding[] {
  return (state.planned?.plan.context ?? []).flatMap(({ digest, source }) => {
    const path = `objects/${digestHex(digest)}.json`;
    const found = fileDigest(join(folder, path));
    if (found === digest) return [];
    return [
      {
        where: path,
        problem: `${source} of the plan ${found === null ? 'is missing' : `has the digest ${found}`}`,
      },
    ];
  });
}

/**
 * Artifacts that a kill left between their rename and their record: the very bytes that are owed. Like content without an event
 * they are harmless, and the next writer records them.
 */
function unrecordedArtifacts(folder: string, chair: Chair): ReadonlySet<string> {
  const { state } = chair;
  return new Set(
    owedArtifacts(state).filter((path) => {
      // The report of an end has its own finding: its closing events are missing.
      if (path === FINAL_REPORT_MD) return false;
      const found = fileDigest(join(folder, path));
      // The user's own file is owed a merge, and one that can be merged is as it may be.
      if (path === CONFERENCE_MD) {
        const known = state.artifacts.get(path)?.digest ?? state.planned?.source_digest;
        return found !== null && found !== known && planDrift(folder, state).length === 0;
      }
      return (
        found !== null && found !== state.artifacts.get(path)?.digest && found === owedDigest(chair, path)
      );
    }),
  );
}

function artifactFindings(folder: string, state: State, unrecorded: ReadonlySet<string>): VerifyFinding[] {
  return [...state.artifacts].flatMap(([path, { digest }]) => {
    const found = fileDigest(join(folder, path));
    if (found === digest || unrecorded.has(path)) return [];
    return [
      {
        where: path,
        problem:
          found === null
            ? 'is missing; the ledger says that it was written'
            : `has the digest ${found}, the ledger says ${digest}`,
      },
    ];
  });
}

function sourceFinding(folder: string, state: State, unrecorded: ReadonlySet<string>): VerifyFinding[] {
  if (unrecorded.has(CONFERENCE_MD)) return [];
  const expected = state.planned?.source_digest ?? null;
  const found = fileDigest(join(folder, CONFERENCE_MD));
  if (expected === null || found === null || found === expected) return [];
  // Written back, it is an artifact like any other.
  if (state.artifacts.has(CONFERENCE_MD)) return [];
  return [{ where: CONFERENCE_MD, problem: `has the digest ${found}; the plan was read from ${expected}` }];
}

interface Tail {
  readonly findings: VerifyFinding[];
  readonly proved: string[];
  readonly notProved: string[];
}

/** The report carries length and head of the ledger before its own record, so lines missing at the end are noticed. */
function tailFindings(
  folder: string,
  state: State,
  { digests, unrecorded }: { readonly digests: readonly string[]; readonly unrecorded: ReadonlySet<string> },
): Tail {
  const path = join(folder, FINAL_REPORT_MD);
  const unknown = readdirSync(folder).filter(
    (name) =>
      /^(poster_session|peer_review)_round_\d+\.md$|^synthesis\.md$|^conference_results\.tsv$/.test(name) &&
      !state.artifacts.has(name) &&
      !unrecorded.has(name),
  );
  const findings: VerifyFinding[] = unknown.map((name) => ({
    where: name,
    problem: 'is there, but no event says that it was written: lines may be missing at the end of the ledger',
  }));
  if (!existsSync(path)) {
    const notProved = [
      'that no lines are missing at the end of the ledger: there is no report that says how long it was',
    ];
    return { findings, proved: [], notProved: state.closing.receipt === null ? notProved : [] };
  }
  const line = readLedgerLine(new TextDecoder().decode(fileBytes(path) ?? new Uint8Array()));
  if (line === null)
    return {
      findings: [...findings, { where: FINAL_REPORT_MD, problem: 'has no ledger line' }],
      proved: [],
      notProved: [],
    };
  if (line.seq > digests.length) {
    const problem = `lines ${digests.length + 1} to ${line.seq} are missing at the end: the report was made when the ledger had ${line.seq}`;
    return { findings: [...findings, { where: EVENTS_JSONL, problem }], proved: [], notProved: [] };
  }
  if (digests[line.seq - 1] !== line.digest) {
    return {
      findings: [
        ...findings,
        { where: `${EVENTS_JSONL} line ${line.seq}`, problem: 'is not the line that the report names' },
      ],
      proved: [],
      notProved: [],
    };
  }
  if (state.closing.receipt === null)
    findings.push({
      where: EVENTS_JSONL,
      problem: 'closing events missing: the report is written, the conference is not closed',
    });
  return {
    findings,
    proved: [`no line up to ${line.seq} is missing, by the report`],
    notProved: ['whether late results after the cleanup receipt are missing'],
  };
}

function orphansOf(folder: string, state: State): string[] {
  const named = new Set<string>();
  for (const row of allRows(state)) {
    if (row.digest !== null) named.add(`packets/${digestHex(row.digest)}.json`);
    if (row.content_digest !== null) named.add(`objects/${digestHex(row.content_digest)}.json`);
    named.add(`objects/${digestHex(row.context_digest)}.json`);
  }
  for (const { digest } of state.planned?.plan.context ?? []) named.add(`objects/${digestHex(digest)}.json`);
  const present = ['packets', 'objects'].flatMap((name) => {
    try {
      return readdirSync(join(folder, name)).map((file) => `${name}/${file}`);
    } catch {
      // No such folder, or a file in its place: then its content is missing, and that is found above.
      return [];
    }
  });
  return present.filter((file) => !named.has(file)).toSorted();
}
