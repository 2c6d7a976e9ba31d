/**
 * Writes inside a granted root, and nowhere else (03 Grants, source 000 §6 and §7).
 *
 * R4 Before each write, in this order: grant, state revision, digest (`checkWrite`), path. A failed check is named and leaves the disk as it was.
 * R5 The path is checked on what was opened: each folder by descriptor, the written file by its real path, before it gets its name.
 * R6 A target whose bytes are the wanted ones is left alone. One with other bytes is only replaced if the caller says by digest
 *    that it wrote them; else the write is refused.
 * R7 Temporary file in the same folder, fsync, link or rename, fsync of the folder: a kill leaves the old bytes or the new ones.
 */
import { isAbsolute, normalize } from 'node:path';
import type { Digest } from '../digest.ts';
import { checkWrite, failed, type Grant, type PlannedWrite, type WriteSituation } from '../grant.ts';
import { attempt, errnoOf, Interrupted, rethrow } from './fault.ts';
import {
  closeFolder,
  hasDescriptorPaths,
  openMember,
  openRootFolder,
  realPathOf,
  type OpenFolder,
} from './open-folder.ts';
import { look, place, temporaryPrefix, type RootedContent, type Written } from './place.ts';
import { asValue, checkFailed, type WriteRefused } from './write-refusal.ts';

/** What to write. `path`: relative to the root, `/` between names. `replaces`: digests of our own earlier bytes there. */
export type WriteRequest = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly planned: PlannedWrite;
  readonly replaces?: readonly Digest[];
};

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
  const { path, bytes, planned, replaces = [] } = request;
  const { bytesMax } = context;
  const situation = context.situation();
  const refused = checkWrite(planned, situation);
  if (refused !== null) return checkFailed(path, refused);
  if (situation.grant?.root !== context.folder.real) {
    return checkFailed(path, failed('path', `the active grant is for ${situation.grant?.root ?? 'nothing'}`));
  }
  return asValue(path, () =>
    within(context, { path, make: true }, (folder, name) =>
      place(folder, { path, bytes, replaces, name, bytesMax }),
    ),
  );
};

const readRooted = (context: Context, path: string): RootedContent | WriteRefused => {
  try {
    return within(context, { path, make: false }, (folder, name) => {
      const found = look(folder, name, context.bytesMax);
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
