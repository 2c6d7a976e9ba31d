/**
 * Writes inside a granted root, and nowhere else (03 Grants, source 000 §6 and §7).
 *
 * R4 Before each write, in this order: grant, state revision, digest (`checkWrite`), path. A failed check is named and leaves the disk as it was.
 * R5 The path is checked on what was opened: each folder by descriptor, the written file by its real path, before it gets its name.
 * R6 A target whose bytes are the wanted ones is left alone. One with other bytes is only replaced if the caller says by digest
 *    that it wrote them; else the write is refused.
 * R7 Temporary file in the same folder, fsync, link or rename, fsync of the folder: a kill leaves the old bytes or the new ones.
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
import { isAbsolute, normalize } from 'node:path';
import { digestOf, type Digest } from '../digest.ts';
import {
  checkWrite,
  failed,
  type CheckFailed,
  type Grant,
  type PlannedWrite,
  type WriteSituation,
} from '../grant.ts';
import { attempt, errnoOf, Interrupted, type TroubleKind } from './fault.ts';
import { nodeSha256 } from './hash.ts';
import {
  closeFolder,
  hasDescriptorPaths,
  memberPath,
  openMember,
  openRootFolder,
  realPathOf,
  type OpenFolder,
} from './open-folder.ts';

/** The bytes stand at the path, durable. `unchanged`: they stood there before and were not touched. */
export type Written = {
  readonly status: 'written';
  readonly digest: Digest;
  readonly how: 'created' | 'replaced' | 'unchanged';
};

/**
 * A refused write, which changed nothing at the target; `message` says what to do.
 *
 * - `WRITE_CHECK_FAILED` one of the checks, by name.
 * - `WRITE_TARGET_UNKNOWN` other bytes stand there that the caller did not name in `replaces`; `found` is their digest.
 * - `WRITE_DISK_FULL`, `WRITE_READ_ONLY`, `WRITE_VANISHED`, `WRITE_IO` what the system said.
 */
export type WriteRefused = { readonly status: 'refused'; readonly message: string; readonly path: string } & (
  | { readonly code: 'WRITE_CHECK_FAILED'; readonly check: CheckFailed['check']; readonly reason: string }
  | { readonly code: 'WRITE_TARGET_UNKNOWN'; readonly found: Digest }
  | { readonly code: `WRITE_${TroubleKind}`; readonly errno: string; readonly operation: string }
);

/** What to write. `path`: relative to the root, `/` between names. `replaces`: digests of our own earlier bytes there. */
export type WriteRequest = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly planned: PlannedWrite;
  readonly replaces?: readonly Digest[];
};

/** What stands at a path below the root. `other`: a link, folder or device. */
export type RootedContent =
  | { readonly status: 'found'; readonly bytes: Uint8Array; readonly digest: Digest }
  | { readonly status: 'missing' }
  | { readonly status: 'other'; readonly found: string };

/** A granted root, open. */
export type GrantedRoot = {
  readonly path: string;
  /** Checks, then writes durably, once or many times. Never throws for what the disk does. */
  readonly write: (request: WriteRequest) => Written | WriteRefused;
  /** Reads a file below the root by the same rules of path. */
  readonly read: (path: string) => RootedContent | WriteRefused;
  readonly close: () => void;
};

/** `situation`: asked anew before each write. `bytesMax`: largest file that is read, in bytes (default 64 MiB). */
export type RootOptions = { readonly situation: () => WriteSituation; readonly bytesMax?: number };

const bytesMaxDefault = 64 * 1024 * 1024;
const namesMax = 32;
const nameBytesMax = 255;
const temporaryPrefix = '.x-tmp-';

/** Whether a name is one of a temporary file of ours: what a killed write leaves behind. */
export const isTemporaryName = (name: string): boolean => /^\.x-tmp-[0-9a-f]{16}$/u.test(name);

/**
 * Opens the root of a grant. Its path must be absolute, canonical and a real folder, not a link.
 * Refuses with a value; the caller closes what was opened.
 */
export const openGrantedRoot = (
  grant: Grant,
  options: RootOptions,
): { readonly status: 'opened'; readonly root: GrantedRoot } | WriteRefused =>
  openRootWith(grant, options, hasDescriptorPaths());

/** As {@link openGrantedRoot}, with the way of R2 or R3 chosen: a seam for tests. Not exported by the package. */
export const openRootWith = (
  grant: Grant,
  options: RootOptions,
  viaDescriptor: boolean,
): { readonly status: 'opened'; readonly root: GrantedRoot } | WriteRefused => {
  const path = grant.root;
  if (!isAbsolute(path) || normalize(path) !== path || (path !== '/' && path.endsWith('/'))) {
    return checkFailed(path, failed('path', `the root must be absolute and canonical, found ${path}`));
  }
  return asValue(path, () => {
    const folder = attempt('open', path, () => openRootFolder(path, viaDescriptor));
    const real = realPathOf(folder, folder.fd, null);
    if (real !== path) {
      closeFolder(folder);
      return checkFailed(path, failed('path', `the root's real path is ${real}`));
    }
    const context = { folder, ...options, bytesMax: options.bytesMax ?? bytesMaxDefault };
    const root: GrantedRoot = {
      path,
      write: (request) => writeRooted(context, request),
      read: (target) => asValue(target, () => readRooted(context, target)),
      close: () => closeFolder(folder),
    };
    return { status: 'opened', root } as const;
  });
};

type Context = {
  readonly folder: OpenFolder;
  readonly situation: () => WriteSituation;
  readonly bytesMax: number;
};

const writeRooted = (context: Context, request: WriteRequest): Written | WriteRefused => {
  const { path, planned } = request;
  const situation = context.situation();
  const refused = checkWrite(planned, situation);
  if (refused !== null) return checkFailed(path, refused);
  if (situation.grant?.root !== context.folder.real) {
    return checkFailed(path, failed('path', `the active grant is for ${situation.grant?.root ?? 'nothing'}`));
  }
  return asValue(path, () =>
    within(context, { path, make: true }, (folder, name) => place(folder, { ...request, name }, context)),
  );
};

const readRooted = (context: Context, path: string): RootedContent | WriteRefused => {
  try {
    return within(context, { path, make: false }, (folder, name) => {
      const found = look(folder, name, context);
      return found.status === 'found'
        ? { status: found.status, bytes: found.bytes, digest: found.digest }
        : found;
    });
  } catch (error) {
    if (error instanceof Interrupted && error.trouble.errno === 'ENOENT') return { status: 'missing' };
    throw error;
  }
};

/** Goes down to the folder of a path, each step by descriptor, and closes what it opened. */
const within = <Result>(
  context: Context,
  target: { readonly path: string; readonly make: boolean },
  use: (folder: OpenFolder, name: string) => Result,
): Result | WriteRefused => {
  const { path, make } = target;
  const names = path.split('/');
  const name = names.pop();
  const bad = [...names, name ?? ''].find((part) => !isName(part));
  if (name === undefined || bad !== undefined || names.length >= namesMax) {
    const reason = `the path must be relative, at most ${namesMax} names, none of them empty, "." or "..": found ${JSON.stringify(bad ?? path)}`;
    return checkFailed(path, failed('path', reason));
  }
  const rootNow = realPathOf(context.folder, context.folder.fd, null);
  if (rootNow !== context.folder.real)
    return checkFailed(path, failed('path', `the root moved: it is at ${rootNow}`));
  const opened: OpenFolder[] = [];
  try {
    let folder = context.folder;
    for (const step of names) {
      const parent = folder;
      try {
        folder = openMember(parent, step, make);
      } catch (error) {
        if (['ELOOP', 'ENOTDIR'].includes(errnoOf(error))) {
          return checkFailed(path, failed('path', `${parent.real}/${step} is a link or no folder`));
        }
        attempt('open', `${parent.real}/${step}`, () => rethrow(error));
      }
      opened.push(folder);
    }
    return use(folder, name);
  } finally {
    for (const folder of opened) closeFolder(folder);
  }
};

const isName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !name.includes('\0') &&
  !name.startsWith(temporaryPrefix) &&
  Buffer.byteLength(name) <= nameBytesMax;

type Found = {
  readonly status: 'found';
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly mode: number;
};

const look = (
  folder: OpenFolder,
  name: string,
  { bytesMax }: Context,
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

type Placement = Omit<WriteRequest, 'planned'> & { readonly name: string };

/** R6, R7 */
const place = (folder: OpenFolder, request: Placement, context: Context): Written | WriteRefused => {
  const { name, path, bytes, replaces = [] } = request;
  const digest = digestOf(bytes, nodeSha256);
  const found = look(folder, name, context);
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
    else if (!linkNew(from, to, path)) return place(folder, request, context);
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

const rethrow = (error: unknown): never => {
  throw error;
};

/** Runs what may be interrupted by the system and gives its trouble as a refusal. */
const asValue = <Result>(path: string, run: () => Result): Result | WriteRefused => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const { kind, errno, operation, message } = error.trouble;
    return { status: 'refused', code: `WRITE_${kind}`, errno, operation, message, path };
  }
};

const checkFailed = (path: string, { check, reason }: CheckFailed): WriteRefused => ({
  status: 'refused',
  code: 'WRITE_CHECK_FAILED',
  message: `the check "${check}" refused the write of ${path}: ${reason}; nothing was written`,
  path,
  check,
  reason,
});

const targetUnknown = (path: string, found: Digest): WriteRefused => ({
  status: 'refused',
  code: 'WRITE_TARGET_UNKNOWN',
  message: `${path} holds bytes that were not written from here (${found}); they were left as they are: move them away, or take them in`,
  path,
  found,
});
