/** Where herdr listens (06 Live): `HERDR_SOCKET_PATH`, or `~/.config/herdr/herdr.sock`. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The longest path that a socket address holds; beyond it the system would connect to a cut-off path. */
const PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103;

export type SocketPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: 'PATH_TOO_LONG'; readonly path: string; readonly bytesMax: number };

/** @param env the environment; an empty `HERDR_SOCKET_PATH` counts as unset */
export function herdrSocketPath(env: Readonly<Record<string, string | undefined>>): SocketPath {
  const named = env['HERDR_SOCKET_PATH'];
  const path = named ? resolve(named) : join(homedir(), '.config', 'herdr', 'herdr.sock');
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) {
    return { ok: false, code: 'PATH_TOO_LONG', path, bytesMax: PATH_BYTES_MAX };
  }
  return { ok: true, path };
}
