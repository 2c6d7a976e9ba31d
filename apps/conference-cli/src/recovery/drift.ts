/**
 * What differs between a conference folder and its ledger (01 Recovery; 03 Grants): artifacts, the plan part of
 * conference.md, and the texts that round 1 quoted. Other prose of the user may change as it likes.
 */
import { join } from 'node:path';
import {
  allRows,
  CONFERENCE_MD,
  currentRound,
  isFinal,
  owedArtifacts,
  renderArtifact,
  type DispatchRow,
  type State,
} from '@x/conference-core';
import { ContentMissing, read, recheckDispatch, type Chair } from '@x/conference-core/chair';
import { digestOf } from '@x/protocol';
import { conferenceMdDrift, conferenceMdText } from '../conference-md/drift-conference-md.ts';
import { MERGED_BYTES_MAX } from '../conference-md/sections.ts';
import { fileBytes, fileDigest } from '../store/regular-file.ts';

export interface Drift {
  /** Artifacts and plan, each with what differs. */
  readonly differing: readonly string[];
  /** Recorded artifacts whose bytes differ, by path. */
  readonly artifacts: readonly string[];
  readonly plan: boolean;
  /** Packets and charters of the phase under way that are not as recorded. */
  readonly inputs: readonly string[];
}

/** Compares; reads only. */
export async function findDrift(folder: string, chair: Chair): Promise<Drift> {
  const { state } = chair;
  // In the order of the source: packets before the artifacts that were made from them (003 Evidence sources).
  const inputs = inputDrift(chair);
  const artifacts = [...state.artifacts].flatMap(([path, { digest }]) => {
    if (path === CONFERENCE_MD) return [];
    const found = fileDigest(join(folder, path));
    return found === digest || (found !== null && found === owedDigest(chair, path))
      ? []
      : [{ path, what: found === null ? 'is missing' : `has the digest ${found}, not ${digest}` }];
  });
  // What has ended is no longer written back: from then on the user's file may say another plan.
  const plan = isFinal(state) ? [] : planDrift(folder, state);
  return {
    differing: [...artifacts.map(({ path, what }) => `${path} ${what}`), ...plan],
    artifacts: artifacts.map(({ path }) => path),
    plan: plan.length > 0,
    inputs,
  };
}

/**
 * Bytes of what is owed at this path now, as a digest, or null. A kill between the rename of a file and its record leaves just these bytes: they are
 * ours, and the write is not repeated (RECO-06).
 */
export function owedDigest({ state, ports }: Chair, path: string): string | null {
  if (!owedArtifacts(state).includes(path)) return null;
  try {
    return read(renderArtifact(state, path, ports.ledger.head), ports.objects).digest;
  } catch (error) {
    // Told by name among the inputs.
    if (error instanceof ContentMissing) return null;
    throw error;
  }
}

/** The file is known by its bytes, or still says the same plan and the same quoted texts. */
export function planDrift(folder: string, { planned, artifacts }: State): string[] {
  const bytes = fileBytes(join(folder, CONFERENCE_MD));
  if (bytes === null || planned === null) return [];
  const found = digestOf(bytes);
  if (found === planned.source_digest || found === artifacts.get(CONFERENCE_MD)?.digest) return [];
  if (bytes.length > MERGED_BYTES_MAX)
    return [`${CONFERENCE_MD} has ${bytes.length} bytes; at most ${MERGED_BYTES_MAX} are read`];
  const text = conferenceMdText(bytes);
  return text === null
    ? [`${CONFERENCE_MD} is not UTF-8 any more`]
    : conferenceMdDrift(text, planned, folder);
}

/**
 * The packets that the phase under way was, or will be, made from. Those of the round under way are read again; of closed
 * rounds, which later charters and the report quote, the bytes are compared with their digests.
 */
function inputDrift(chair: Chair): string[] {
  const { state } = chair;
  if (state.closing.receipt !== null) return [];
  const round = currentRound(state);
  return [...allRows(state)].flatMap((row) => {
    if (row.state === 'dispatched') return recheckDispatch(chair, row) ?? [];
    if (row.state !== 'received') return [];
    const problem = row.round === round?.round ? recheckDispatch(chair, row) : storedProblem(chair, row);
    return problem === null ? [] : [problem];
  });
}

function storedProblem({ ports }: Chair, row: DispatchRow): string | null {
  for (const [store, digest] of [
    [ports.packets, row.digest],
    [ports.objects, row.content_digest],
  ] as const) {
    const found = digest === null ? null : store.get(digest);
    if (found === null || found.status === 'found') continue;
    const why = found.status === 'missing' ? 'missing' : found.reason;
    return `the packet of dispatch ${row.dispatch_id} (${digest ?? ''}) is ${why}`;
  }
  return null;
}
