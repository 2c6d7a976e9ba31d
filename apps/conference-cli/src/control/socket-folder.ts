/**
 * Where a run's control socket lies: a folder of its own, 0700, named by the conference, so that the next holder of the ledger
 * finds and removes what a killed one left. Not in the conference folder: the path of a socket is short (104 bytes on macOS).
 */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConferenceId } from '@x/protocol';
import { errorCode } from '../error-code.ts';

/** Bytes of a socket's path that every supported system takes whole. */
const SOCKET_PATH_BYTES_MAX = 103;

export type SocketFolder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** Makes the folder anew and gives the socket's path. The caller holds the ledger: whatever lies there is an earlier holder's. */
export function makeSocketFolder(conferenceId: ConferenceId): SocketFolder {
  const folder = folderOf(conferenceId);
  const path = join(folder, 's');
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    const reason = `${path} is longer than ${SOCKET_PATH_BYTES_MAX} bytes; a shorter TMPDIR helps`;
    return { ok: false, reason };
  }
  try {
    removeSocketFolder(conferenceId);
    mkdirSync(folder, { mode: 0o700 });
    return { ok: true, path };
  } catch (error) {
    return {
      ok: false,
      reason: `${folder}: ${errorCode(error, String(error))}`,
    };
  }
}

/** Twice is once. @throws what the system says, when somebody else's folder stands there */
export function removeSocketFolder(conferenceId: ConferenceId): void {
  rmSync(folderOf(conferenceId), { recursive: true, force: true });
}

function folderOf(conferenceId: ConferenceId): string {
  return join(tmpdir(), `conference-control-${conferenceId}`);
}
