/**
 * What a root owes its folder without being asked: artifacts, and the events of the end. Idempotent: bytes first,
 * compared by digest, recorded after (design "Two kinds of effect").
 */
import { renderArtifact } from '../artifacts/render.ts';
import type { Chair } from './chair.ts';
import type { ArtifactPort } from './ports.ts';
import { read } from './reading.ts';

/** Something refused a write; what is recorded stands. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
}

/** Writes one artifact that is owed and records it. Null: it is there. */
export function writeArtifact(chair: Chair, artifacts: ArtifactPort | null, path: string): Trouble | null {
  if (artifacts === null) {
    const message = `${path} is owed and nothing may be written: give --write-to DIR or --grant FILE`;
    return { code: 'GRANT_REQUIRED', message };
  }
  const artifact = read(renderArtifact(chair.state, path, chair.ports.ledger.head), chair.ports.objects);
  const replaces = chair.state.artifacts.get(path)?.digest ?? null;
  const written = artifacts.write(path, artifact.bytes, replaces);
  if (written.status === 'refused') return { code: written.code, message: written.message };
  const { digest, bytes } = artifact;
  const executed = chair.execute({ command: 'written', path, digest, bytes: bytes.length });
  if (executed.status === 'not_recorded') return executed.trouble;
  return executed.status === 'refused'
    ? { code: executed.refusal.code, message: executed.refusal.message }
    : null;
}

/** Writes that one command can owe: the artifacts of a round or of the end, and the closing. */
const TURNS_MAX = 16;

/** Writes what is owed and closes what has ended. Null: nothing is owed any more. */
export function keepHouse(chair: Chair, artifacts: ArtifactPort | null): Trouble | null {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const [first] = chair.actions(0);
    if (first?.action === 'write') {
      const trouble = writeArtifact(chair, artifacts, first.path);
      if (trouble !== null) return trouble;
    } else if (first?.action === 'close') {
      const executed = chair.execute({ command: 'close' });
      if (executed.status === 'not_recorded') return executed.trouble;
    } else return null;
  }
  return { code: 'TURNS_EXHAUSTED', message: `more than ${TURNS_MAX} writes were owed at once` };
}
