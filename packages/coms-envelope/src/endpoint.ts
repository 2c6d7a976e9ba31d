/**
 * Where a peer listens, and which endpoints we are willing to connect to (04 Wire, 04 Beyond what exists).
 *
 * Boundary: strings. Whether a socket is there, and whose, is looked at by `node/`.
 */

/** `win32` has named pipes; every other platform has unix sockets. */
export type Platform = string;

const pipePrefix = '\\\\.\\pipe\\pi-coms-';
const pipe = /^\\\\\.\\pipe\\pi-coms-[A-Za-z0-9._-]+$/;
const sessionId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Bytes that a socket path may have, the closing NUL left out. Beyond it Node reports success and the kernel binds
 * a shortened path, where two long names collide.
 */
export function socketPathBytesMax(platform: Platform): number {
  return platform === 'linux' ? 107 : 103;
}

export function isSessionId(session: string): boolean {
  return sessionId.test(session);
}

/** The endpoint of a session: a socket in the `sockets` folder, on Windows a named pipe. */
export function endpointOf(session: string, place: { socketsDir: string; platform: Platform }): string {
  return place.platform === 'win32' ? pipePrefix + session : `${place.socketsDir}/${session}.sock`;
}

/** Null where the path fits, else how many bytes it has and may have. A pipe's name is never too long. */
export function socketPathExcess(
  path: string,
  platform: Platform,
): { readonly bytes: number; readonly bytesMax: number } | null {
  if (platform === 'win32') return null;
  const bytes = new TextEncoder().encode(path).length;
  const bytesMax = socketPathBytesMax(platform);
  return bytes > bytesMax ? { bytes, bytesMax } : null;
}

/**
 * True for a path directly inside the `sockets` folder, written without detours, or on Windows a pipe of the known
 * form. A prompt names its own `sender_endpoint`; without this rule it could point us at any socket of the machine.
 */
export function isAllowedEndpoint(
  endpoint: string,
  place: { socketsDir: string; platform: Platform },
): boolean {
  if (place.platform === 'win32') return pipe.test(endpoint);
  const inside = `${place.socketsDir}/`;
  if (!endpoint.startsWith(inside)) return false;
  const file = endpoint.slice(inside.length);
  return file !== '' && file !== '.' && file !== '..' && !file.includes('/') && !file.includes('\0');
}
