/**
 * Socket files that a killed process left behind.
 *
 * Z1 Only a socket on which connecting is refused is removed, and only the very file that was judged.
 */
import { closeSync, linkSync, lstatSync, openSync, renameSync, type Stats } from 'node:fs';
import type { Coms } from './coms-folder.ts';
import { judgeEndpoint, probe } from './probe.ts';
import { removeFile, systemCode } from './safe-file.ts';

/** Removing takes microseconds; a right older than this was left behind by a kill. */
const rightAgeMsMax = 10_000;

export function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

export function isSameFile(a: Stats | undefined, b: Stats): boolean {
  return a !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/**
 * The right to remove one particular socket file: a file beside it, made exclusively. Without it two starts could
 * judge the same stale file, and the slower one would remove the socket that the faster one had just bound.
 */
function takeRight(right: string): boolean {
  try {
    closeSync(openSync(right, 'wx', 0o600));
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    const held = lookAt(right);
    if (held !== undefined && Date.now() - held.mtimeMs > rightAgeMsMax) removeFile(right);
    return false;
  }
}

/**
 * Removes the judged file if it still stands there and nobody else is at it. False where another process has the
 * right to: look again in a moment. Throws where the file system fails.
 */
export function removeJudged(path: string, judged: Stats): boolean {
  const right = `${path}.${judged.ino}-${Math.trunc(judged.ctimeMs)}.stale`;
  if (!takeRight(right)) return false;
  try {
    const now = lookAt(path);
    if (!isSameFile(now, judged) || now?.ctimeMs !== judged.ctimeMs) return true;
    const aside = `${right}.gone`;
    renameSync(path, aside);
    // Only a process that was stopped just before the rename, for long, can meet another file here.
    if (!isSameFile(lookAt(aside), judged)) linkSync(aside, path);
    removeFile(aside);
  } finally {
    removeFile(right);
  }
  return true;
}

/** Removes the socket of an endpoint that nobody answers on (Z1); does nothing in any other case. Never rejects. */
export async function removeDeadSocket(coms: Coms, endpoint: string, probeTimeoutMs: number): Promise<void> {
  const judged = judgeEndpoint(coms, endpoint);
  if (!judged.ok || coms.platform === 'win32') return;
  try {
    const file = lookAt(judged.path);
    if (file === undefined || (await probe(judged.path, probeTimeoutMs)) === 'answers') return;
    removeJudged(judged.path, file);
  } catch {
    // A file that cannot be removed is litter, and no reason to fail whoever came by.
  }
}
