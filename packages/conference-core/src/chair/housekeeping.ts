/**
 * What a root owes its folder without being asked: artifacts, and the events of the end. Idempotent: bytes first,
 * compared by digest, recorded after (design "Two kinds of effect").
 */
import type { Digest } from '@x/protocol';
import { conferenceMdUpdate, takenAsFound } from '../artifacts/conference-md-update.ts';
import { CONFERENCE_MD, FINAL_REPORT_MD } from '../artifacts/paths.ts';
import { renderArtifact, type Artifact } from '../artifacts/render.ts';
import type { Reading } from '../charters/content.ts';
import type { Chair } from './chair.ts';
import type { Executed } from './commit.ts';
import type { ArtifactPort } from './ports.ts';
import { ContentMissing, read } from './reading.ts';
import { reportWithout } from './report-without.ts';

/** Something refused a write; what is recorded stands. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
}

/**
 * Writes one artifact that is owed and records it. Null: it is there, or bytes of somebody else stand in its place and the
 * conference is BLOCKED, so that the user is asked about them (01 State and phase).
 */
export function writeArtifact(chair: Chair, artifacts: ArtifactPort | null, path: string): Trouble | null {
  if (artifacts === null) {
    const message = `${path} is owed and nothing may be written: give --write-to DIR or --grant FILE`;
    return { code: 'GRANT_REQUIRED', message };
  }
  const written = path === CONFERENCE_MD ? merge(chair, artifacts) : render(chair, artifacts, path);
  if ('code' in written) return blockIfStale(chair, written);
  return troubleIn(chair.execute({ command: 'written', path, ...written }));
}

interface WrittenBytes {
  readonly digest: Digest;
  readonly bytes: number;
}

function render(chair: Chair, artifacts: ArtifactPort, path: string): WrittenBytes | Trouble {
  const { state, ports } = chair;
  // Whoever cancelled, or restarted over lost content, decided to end here: the report names what is lost.
  const artifact =
    path === FINAL_REPORT_MD && state.state === 'CANCELLED'
      ? reportWithout(state, ports.ledger.head, ports.objects)
      : made(chair, renderArtifact(state, path, ports.ledger.head));
  if ('code' in artifact) return artifact;
  return place(chair, artifacts, { path, artifact });
}

/** The user decided to close without content that is lost. Null: the report is written; the close is still owed. */
export function writeReportWithout(chair: Chair, artifacts: ArtifactPort): Trouble | null {
  const artifact = reportWithout(chair.state, chair.ports.ledger.head, chair.ports.objects);
  const written = place(chair, artifacts, { path: FINAL_REPORT_MD, artifact });
  if ('code' in written) return written;
  return troubleIn(chair.execute({ command: 'written', path: FINAL_REPORT_MD, ...written }));
}

function place(
  chair: Chair,
  artifacts: ArtifactPort,
  { path, artifact }: { readonly path: string; readonly artifact: Artifact },
): WrittenBytes | Trouble {
  const replaces = chair.state.artifacts.get(path)?.digest ?? null;
  const written = artifacts.write(path, artifact.bytes, replaces);
  if (written.status === 'refused') return { code: written.code, message: written.message };
  return { digest: artifact.digest, bytes: artifact.bytes.length };
}

/** The user's own file: read anew, compared with the plan, and written back with what changed (03 conference.md). */
function merge(chair: Chair, artifacts: ArtifactPort): WrittenBytes | Trouble {
  const { state } = chair;
  const update = made(chair, conferenceMdUpdate(state));
  if (update === null || state.planned === null) {
    return { code: 'NOT_PLANNED', message: `${CONFERENCE_MD} is written back to a plan, and there is none` };
  }
  if ('code' in update) return update;
  const merged = artifacts.mergeConferenceMd({
    update,
    planned: state.planned,
    known: state.artifacts.get(CONFERENCE_MD)?.digest ?? state.planned.source_digest,
    asFound: takenAsFound(state),
  });
  if (merged.status === 'refused') return { code: merged.code, message: merged.message };
  return { digest: merged.digest, bytes: merged.bytes };
}

function made<Result>(chair: Chair, reading: Reading<Result>): Result | Trouble {
  try {
    return read(reading, chair.ports.objects);
  } catch (error) {
    if (error instanceof ContentMissing) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Characters of a reason that a block records. */
const REASON_LENGTH_MAX = 1_000;

/** What differs from the ledger becomes a question; a conference that cannot be asked any more is in trouble. */
function blockIfStale(chair: Chair, { code, message }: Trouble): Trouble | null {
  if (code !== 'BLOCKED_STALE_CONFERENCE_STATE') return { code, message };
  const reason = message.slice(0, REASON_LENGTH_MAX);
  const blocked = chair.execute({ command: 'block', code, reason });
  return blocked.status === 'refused' ? { code, message } : troubleIn(blocked);
}

function troubleIn(executed: Executed): Trouble | null {
  if (executed.status === 'done') return null;
  if (executed.status === 'not_recorded') return executed.trouble;
  return { code: executed.refusal.code, message: executed.refusal.message };
}

/** Writes that one command can owe: the artifacts of a round or of the end, and the closing. */
const TURNS_MAX = 16;

/** Writes what is owed and closes what has ended. Null: nothing is owed any more. A block by it is said once, by its code. */
export function keepHouse(chair: Chair, artifacts: ArtifactPort | null): Trouble | null {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const [first] = chair.actions(0);
    if (first?.action === 'write') {
      const before = chair.state.blocked;
      const trouble = writeArtifact(chair, artifacts, first.path);
      if (trouble !== null) return trouble;
      const { blocked } = chair.state;
      if (blocked !== null && blocked !== before) return { code: blocked.code, message: blocked.reason };
    } else if (first?.action === 'close') {
      const executed = chair.execute({ command: 'close' });
      if (executed.status === 'not_recorded') return executed.trouble;
    } else return null;
  }
  return { code: 'TURNS_EXHAUSTED', message: `more than ${TURNS_MAX} writes were owed at once` };
}
