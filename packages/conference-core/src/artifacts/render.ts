/** The bytes of each artifact, by its path (03 Artifacts). */
import { digestOf, type Digest } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import type { State } from '../state.ts';

export interface Artifact {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

const encoder = new TextEncoder();

/** The bytes of one artifact. `head`: where the ledger ends now, for the report's ledger line. */
export function* renderArtifact(
  state: State,
  path: string,
  head: { readonly seq: number; readonly digest: string },
): Reading<Artifact> {
  const bytes = encoder.encode(`${path} ${state.outcome ?? ''} ${head.seq}\n`);
  return { bytes, digest: digestOf(bytes) };
}

export function* renderReport(
  state: State,
  head: { readonly seq: number; readonly digest: string },
): Reading<string> {
  return `${state.outcome ?? ''} ${head.seq}\n`;
}
