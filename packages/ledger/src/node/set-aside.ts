/**
 * Setting bytes aside: what cannot stay in a ledger goes, whole and durable, to a file beside it, before the ledger is cut.
 *
 * L12 Nothing is dropped: the copy is synced and named before the cut, and no earlier copy is overwritten.
 * L13 A kill in between leaves both; the next opening finds the same bytes and the same copy, and only cuts.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { attempt, errnoOf, rethrow } from './fault.ts';
import { syncFolder } from './sync-folder.ts';

/** Bytes of a ledger from `offset` up to `end`. */
export type Stretch = {
  readonly fd: number;
  readonly path: string;
  readonly offset: number;
  readonly end: number;
};

const chunkBytes = 256 * 1024;
const copiesMax = 1000;

/**
 * Copies a stretch to `<path>.torn-<seq>` (`.torn-<seq>.2` … when that name holds other bytes), cuts the ledger at its
 * offset, and syncs. Gives the copy's path. Throws `Interrupted`: then the ledger was not cut.
 */
export const setAside = (stretch: Stretch, seq: number): string => {
  const { fd, path, offset } = stretch;
  const scratch = `${path}.torn-${seq}.${randomBytes(6).toString('hex')}.tmp`;
  let copy: string;
  try {
    attempt('copy', scratch, () => copyTo(scratch, stretch));
    copy = nameCopy(scratch, stretch, seq);
  } finally {
    rmSync(scratch, { force: true });
  }
  attempt('fsync', dirname(path), () => syncFolder(dirname(path)));
  attempt('ftruncate', path, () => ftruncateSync(fd, offset));
  attempt('fdatasync', path, () => fdatasyncSync(fd));
  return copy;
};

const copyTo = (scratch: string, { fd, offset, end }: Stretch): void => {
  const target = openSync(scratch, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    fchmodSync(target, 0o600);
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - offset));
    for (let at = offset; at < end;) {
      const count = readSync(fd, chunk, 0, Math.min(chunk.length, end - at), at);
      if (count === 0) throw Object.assign(new Error('the file became shorter'), { code: 'EIO' });
      for (let written = 0; written < count;) written += writeSync(target, chunk, written, count - written);
      at += count;
    }
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
};

const nameCopy = (scratch: string, stretch: Stretch, seq: number): string => {
  for (let copies = 1; copies <= copiesMax; copies++) {
    const name = `${stretch.path}.torn-${seq}${copies === 1 ? '' : `.${copies}`}`;
    try {
      linkSync(scratch, name);
      return name;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') attempt('link', name, () => rethrow(error));
    }
    if (attempt('read', name, () => holdsSame(name, stretch))) return name;
  }
  return attempt('link', `${stretch.path}.torn-${seq}`, () =>
    rethrow(Object.assign(new Error(`${copiesMax} copies are there`), { code: 'EEXIST' })),
  );
};

const holdsSame = (name: string, { fd, offset, end }: Stretch): boolean => {
  if (statSync(name).size !== end - offset) return false;
  const other = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const [ours, theirs] = [Buffer.alloc(chunkBytes), Buffer.alloc(chunkBytes)];
    for (let at = offset; at < end;) {
      const wanted = Math.min(chunkBytes, end - at);
      const count = readSync(fd, ours, 0, wanted, at);
      if (count === 0 || readSync(other, theirs, 0, count, at - offset) !== count) return false;
      if (ours.compare(theirs, 0, count, 0, count) !== 0) return false;
      at += count;
    }
    return true;
  } finally {
    closeSync(other);
  }
};
