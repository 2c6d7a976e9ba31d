/** Artifacts in memory, for embedding without a disk and for tests. It can refuse on request. */
import { digestOf } from '@x/protocol';
import type { ArtifactPort } from '../chair/ports.ts';

export interface MemoryArtifacts extends ArtifactPort {
  /** By path, as text. */
  readonly files: ReadonlyMap<string, string>;
  /** The next write is refused with this, once. */
  refuseNext(refused: { readonly code: string; readonly message: string }): void;
}

export function memoryArtifacts(): MemoryArtifacts {
  const files = new Map<string, string>();
  let refusal: { readonly code: string; readonly message: string } | null = null;
  const decoder = new TextDecoder('utf-8');
  return {
    files,
    write: (path, bytes, replaces) => {
      const refused = refusal;
      refusal = null;
      if (refused !== null) return { status: 'refused', ...refused };
      if (path.startsWith('/') || path.split('/').includes('..')) {
        return { status: 'refused', code: 'OUTSIDE_ROOT', message: `${path} is outside of the root` };
      }
      const present = files.get(path);
      const known = present === undefined ? null : digestOf(present);
      if (known !== null && known !== replaces && known !== digestOf(bytes)) {
        const message = `${path} holds bytes that nobody here wrote`;
        return { status: 'refused', code: 'BLOCKED_STALE_CONFERENCE_STATE', message };
      }
      files.set(path, decoder.decode(bytes));
      return { status: 'written' };
    },
    mergeConferenceMd: () => ({
      status: 'refused',
      code: 'NO_CONFERENCE_MD',
      message: 'a conference in memory was not read from a file',
    }),
    refuseNext: (refused) => {
      refusal = refused;
    },
  };
}
