/**
 * What a person may have put into a conference folder, read as a reader may: a pipe or device under a known name is never
 * waited for (03 Grants, "bytes that we did not write").
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { digestOf, type Digest } from '@x/protocol';

/** All bytes of a regular file, links followed; null for what is missing, is no regular file, or cannot be read. */
export function fileBytes(path: string, bytesMax = Infinity): Uint8Array | null {
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= bytesMax ? readFileSync(fd) : null;
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** Null where there are no such bytes. */
export function fileDigest(path: string): Digest | null {
  const bytes = fileBytes(path);
  return bytes === null ? null : digestOf(bytes);
}
