/**
 * Looking at a file in the questions folder without trusting it: links are not followed, a FIFO is not waited for, and
 * no more than the limit is ever read (05).
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { limits, type AnswerContent } from '@x/bridge';

/** One file at one moment: a rewrite or a replacement gives another identity. */
export interface FileIdentity {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export type EntryLook =
  | { readonly code: 'absent' }
  | { readonly code: 'entry'; readonly kind: 'file' | 'folder' | 'other'; readonly identity: FileIdentity };

export type ContentLook =
  | {
      readonly code: 'content';
      readonly content: AnswerContent;
      /** SHA-256 of the bytes, hex; of the beginning alone where the file is too large. */
      readonly digest: string;
      readonly identity: FileIdentity;
    }
  | { readonly code: 'absent' }
  /** It changed under our eyes into something else: look again. */
  | { readonly code: 'changed' }
  | { readonly code: 'unreadable'; readonly why: string };

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);

const identityOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): FileIdentity => ({
  ino,
  size,
  mtimeNs,
  ctimeNs,
});

/** What stands under a name; `other` is a link, device, FIFO, socket or another user's file. */
export const lookAtEntry = (path: string, uid: number | null): EntryLook => {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { code: 'absent' };
  const identity = identityOf(stats);
  if (stats.isDirectory()) return { code: 'entry', kind: 'folder', identity };
  const ours = uid === null || stats.uid === BigInt(uid);
  return { code: 'entry', kind: stats.isFile() && ours ? 'file' : 'other', identity };
};

const decode = (bytes: Buffer): AnswerContent => {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'not_utf8', cutAtEnd: cutAtEnd(bytes) };
  }
};

const cutAtEnd = (bytes: Buffer): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

const readUpTo = (fd: number, bytesMax: number): Buffer => {
  const { size } = fstatSync(fd);
  const bytes = Buffer.allocUnsafe(Math.min(size, bytesMax) + 1);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
};

/** Reads a regular file of at most `limits.answerFileBytes`. Never throws. */
export const readAnswerFile = (path: string, uid: number | null): ContentLook => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { code: 'absent' };
    return code === 'ELOOP' || code === 'ENXIO' ? { code: 'changed' } : { code: 'unreadable', why: code };
  }
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile() || (uid !== null && stats.uid !== BigInt(uid))) return { code: 'changed' };
    const identity = identityOf(stats);
    const tooLarge = stats.size > BigInt(limits.answerFileBytes);
    const bytes = tooLarge ? Buffer.alloc(0) : readUpTo(fd, limits.answerFileBytes);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const content: AnswerContent =
      tooLarge || bytes.length > limits.answerFileBytes ? { kind: 'too_large' } : decode(bytes);
    return { code: 'content', content, digest, identity };
  } catch (error) {
    return { code: 'unreadable', why: errorCode(error) };
  } finally {
    closeSync(fd);
  }
};
