/**
 * Putting bytes under one name in an open folder (R6, R7 in rooted.ts).
 * Boundary: the folder is known to be inside the root; who may write, was asked before.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { digestOf, type Digest } from '../digest.ts';
import { failed } from '../grant.ts';
import { attempt, errnoOf, rethrow } from './fault.ts';
import { nodeSha256 } from './hash.ts';
import { memberPath, realPathOf, type OpenFolder } from './open-folder.ts';
import { checkFailed, targetUnknown, type WriteRefused } from './write-refusal.ts';

/** The bytes stand at the path, durable. `unchanged`: they stood there before and were not touched. */
export type Written = {
  readonly status: 'written';
  readonly digest: Digest;
  readonly how: 'created' | 'replaced' | 'unchanged';
};

/** What stands at a path below the root. `other`: a link, folder or device. */
export type RootedContent =
  | { readonly status: 'found'; readonly bytes: Uint8Array; readonly digest: Digest }
  | { readonly status: 'missing' }
  | { readonly status: 'other'; readonly found: string };

/** How the names of temporary files start. */
export const temporaryPrefix = '.x-tmp-';

/** Whether a name is one of a temporary file of ours: what a killed write leaves behind. */
export const isTemporaryName = (name: string): boolean => /^\.x-tmp-[0-9a-f]{16}$/u.test(name);

/** A regular file that stands there. */
export type Found = {
  readonly status: 'found';
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly mode: number;
};

/** Reads what stands at a name, links not followed. Throws `Interrupted`. */
export const look = (
  folder: OpenFolder,
  name: string,
  bytesMax: number,
): Found | Exclude<RootedContent, { status: 'found' }> => {
  const shown = `${folder.real}/${name}`;
  let fd: number;
  try {
    fd = openSync(memberPath(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return { status: 'missing' };
    if (errno === 'ELOOP') return { status: 'other', found: 'a symbolic link' };
    if (errno === 'ENXIO') return { status: 'other', found: 'a socket or device' };
    return attempt('open', shown, () => rethrow(error));
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile())
      return { status: 'other', found: stats.isDirectory() ? 'a folder' : 'a pipe or device' };
    if (stats.size > bytesMax)
      return { status: 'other', found: `a file of ${stats.size} bytes, beyond ${bytesMax}` };
    const bytes = attempt('read', shown, () => readFileSync(fd));
    return { status: 'found', bytes, digest: digestOf(bytes, nodeSha256), mode: stats.mode & 0o777 };
  } finally {
    closeSync(fd);
  }
};

/** What goes where: `path` for the refusals, `name` in the open folder, `bytesMax` of what may stand there. */
export type Placement = {
  readonly name: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly replaces: readonly Digest[];
  readonly bytesMax: number;
};

/** How often a target may appear and vanish under a write before it is refused. */
const racesMax = 8;

/** R6, R7 */
export const place = (folder: OpenFolder, request: Placement): Written | WriteRefused => {
  for (let races = 0; races < racesMax; races++) {
    const outcome = placeOnce(folder, request);
    if (outcome !== 'raced') return outcome;
  }
  return attempt('link', request.path, () => rethrow(Object.assign(new Error('raced'), { code: 'EEXIST' })));
};

const placeOnce = (folder: OpenFolder, request: Placement): Written | WriteRefused | 'raced' => {
  const { name, path, bytes, replaces } = request;
  const digest = digestOf(bytes, nodeSha256);
  const found = look(folder, name, request.bytesMax);
  if (found.status === 'other')
    return checkFailed(path, failed('path', `${folder.real}/${name} is ${found.found}`));
  if (found.status === 'found') {
    if (found.digest === digest) {
      // Its bytes are right, but the one who wrote them may have died before they were durable.
      attempt('fsync', path, () => syncMember(folder, name));
      return { status: 'written', digest, how: 'unchanged' };
    }
    if (!replaces.includes(found.digest)) return targetUnknown(path, found.digest);
  }
  const temporary = `${temporaryPrefix}${randomBytes(8).toString('hex')}`;
  try {
    const moved = attempt('write', path, () =>
      writeTemporary(folder, temporary, { bytes, mode: found.status === 'found' ? found.mode : 0o600 }),
    );
    if (moved !== null) return checkFailed(path, failed('path', moved));
    const [from, to] = [memberPath(folder, temporary), memberPath(folder, name)];
    if (found.status === 'found') attempt('rename', path, () => renameSync(from, to));
    else if (!linkNew(from, to, path)) return 'raced';
    attempt('fsync', path, () => fsyncSync(folder.fd));
    return { status: 'written', digest, how: found.status === 'found' ? 'replaced' : 'created' };
  } finally {
    rmSync(memberPath(folder, temporary), { force: true });
  }
};

/** Gives a complete file its name unless one stands there: unlike rename, link never overwrites. False: one stands there. */
const linkNew = (from: string, to: string, path: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // A file system without hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error)))
      attempt('link', path, () => rethrow(error));
    attempt('rename', path, () => renameSync(from, to));
    return true;
  }
};

const syncMember = (folder: OpenFolder, name: string): void => {
  const fd = openSync(
    memberPath(folder, name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  fsyncSync(folder.fd);
};

/** Writes and syncs a temporary file, then looks where it really is (R5). A text: it is not where it should be. */
const writeTemporary = (
  folder: OpenFolder,
  temporary: string,
  content: { readonly bytes: Uint8Array; readonly mode: number },
): string | null => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(memberPath(folder, temporary), flags, 0o600);
  try {
    fchmodSync(fd, content.mode);
    writeFileSync(fd, content.bytes);
    fsyncSync(fd);
    const real = realPathOf(folder, fd, temporary);
    return real === `${folder.real}/${temporary}`
      ? null
      : `the folder moved while it was written to: the file is at ${real}`;
  } finally {
    closeSync(fd);
  }
};
