/**
 * Reads a whole regular file up to a bound.
 *
 * Never a FIFO or a device, on which a read would wait forever, and never more than the bound.
 */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type BoundedFile =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'ABSENT' | 'NOT_A_FILE' | 'TOO_LARGE' | 'NOT_UTF8' | 'UNREADABLE';
      readonly why: string;
    };

/**
 * @param path what is opened; a link is followed
 * @param bytesMax the largest size that is read
 * @returns `why` ends a sentence that starts with the path, and holds nothing of the content
 */
export function readBoundedFile(path: string, bytesMax: number): BoundedFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return refusalOf(error);
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { ok: false, code: 'NOT_A_FILE', why: 'is not a regular file' };
    if (status.size > bytesMax)
      return { ok: false, code: 'TOO_LARGE', why: `is larger than ${bytesMax} bytes` };
    const bytes = readUpTo(descriptor, status.size);
    if (!isUtf8(bytes)) return { ok: false, code: 'NOT_UTF8', why: 'is not UTF-8 text' };
    return { ok: true, text: bytes.toString('utf8') };
  } catch (error) {
    return refusalOf(error);
  } finally {
    closeSync(descriptor);
  }
}

/** As many bytes as the file had when it was looked at: what is appended meanwhile is another version. */
function readUpTo(descriptor: number, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, buffer, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function refusalOf(error: unknown): BoundedFile {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, code: 'ABSENT', why: 'does not exist' };
  if (code === 'ENXIO') return { ok: false, code: 'NOT_A_FILE', why: 'is not a regular file' };
  return { ok: false, code: 'UNREADABLE', why: `cannot be read (${code})` };
}

/** The system's or Node's code of an error, for people who look it up. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown error';
}
