/**
 * Small files read and written without trusting what lies at their path.
 *
 * Boundary: bytes and paths; meaning is the caller's.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type FileReading =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'ABSENT' | 'NOT_A_FILE' | 'FOREIGN' | 'TOO_LARGE' | 'UNREADABLE';
      readonly problem: string;
    };

/** The `code` of a system error, or empty. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function readAll(fd: number, size: number): string {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(fd, bytes, filled, size - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return bytes.toString('utf8', 0, filled);
}

/**
 * Reads a regular file of this user, of at most `bytesMax` bytes. Follows no link and never waits for a FIFO.
 * Never throws.
 */
export function readSmallFile(path: string, bytesMax: number, uid: number | null): FileReading {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return { ok: false, code: 'ABSENT', problem: 'is not there' };
    if (code === 'ELOOP' || code === 'EMLINK') return { ok: false, code: 'NOT_A_FILE', problem: 'is a link' };
    if (code === 'ENXIO') return { ok: false, code: 'NOT_A_FILE', problem: 'is not a regular file' };
    return { ok: false, code: 'UNREADABLE', problem: `cannot be opened (${code})` };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { ok: false, code: 'NOT_A_FILE', problem: 'is not a regular file' };
    if (uid !== null && stats.uid !== uid) {
      return { ok: false, code: 'FOREIGN', problem: `belongs to user id ${stats.uid}` };
    }
    if (stats.size > bytesMax) {
      return {
        ok: false,
        code: 'TOO_LARGE',
        problem: `has ${stats.size} bytes, at most ${bytesMax} are read`,
      };
    }
    return { ok: true, text: readAll(fd, stats.size) };
  } catch (error) {
    return { ok: false, code: 'UNREADABLE', problem: `cannot be read (${systemCode(error)})` };
  } finally {
    closeSync(fd);
  }
}

function writeNew(path: string, text: string, durable: boolean): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    let written = 0;
    while (written < bytes.length) written += writeSync(fd, bytes, written);
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Without it a power cut may take back the rename. */
function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes a file if it is there. Any other failure is thrown. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Writes beside the target (0600) and renames, so that a reader sees the old bytes or the new ones. With `durable`
 * bytes and name are on the disk when it returns. Throws on any failure, with nothing left behind.
 *
 * @param scratch Path in the target's folder that nobody else uses.
 */
export function replaceFile(
  path: string,
  text: string,
  { scratch, durable }: { scratch: string; durable: boolean },
): void {
  try {
    writeNew(scratch, text, durable);
    renameSync(scratch, path);
    if (durable) syncFolder(dirname(path));
  } catch (error) {
    removeFile(scratch);
    throw error;
  }
}
