/**
 * Folders below a root, held by descriptor, so that what a name leads to cannot change between the check and the use.
 *
 * R1 Each step is opened by its single name from the descriptor of the step before, and is no link (O_NOFOLLOW).
 * R2 Linux: names are resolved below `/proc/self/fd/<n>`, which is the folder itself whatever its path is now: openat(2) by other means.
 * R3 Elsewhere (macOS, no /proc): by path, and before anything is published the path is resolved again and must lead to the
 *    same device and inode. A swap inside one system call is not excluded there; it is on Linux.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { errnoOf } from './fault.ts';

/** A folder held open. `real`: the path at which it was opened. */
export type OpenFolder = { readonly fd: number; readonly real: string; readonly viaDescriptor: boolean };

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Whether this system resolves names below a descriptor (R2). */
export const hasDescriptorPaths = (): boolean => process.platform === 'linux' && existsSync('/proc/self/fd');

/** The name by which a member of an open folder is reached. */
export const memberPath = (folder: OpenFolder, name: string): string =>
  folder.viaDescriptor ? `/proc/self/fd/${folder.fd}/${name}` : `${folder.real}/${name}`;

/** Opens a root. Throws what the system throws. */
export const openRootFolder = (root: string, viaDescriptor: boolean): OpenFolder => ({
  fd: openSync(root, flags),
  real: root,
  viaDescriptor,
});

/** Opens one folder below another; makes it (0700, durable) where it is missing and `make` says so. Throws what the system throws. */
export const openMember = (parent: OpenFolder, name: string, make: boolean): OpenFolder => {
  const path = memberPath(parent, name);
  const { viaDescriptor } = parent;
  const real = parent.real === '/' ? `/${name}` : `${parent.real}/${name}`;
  try {
    return { fd: openSync(path, flags), real, viaDescriptor };
  } catch (error) {
    if (!make || errnoOf(error) !== 'ENOENT') throw error;
  }
  let made = true;
  try {
    mkdirSync(path, { mode: 0o700 });
    fsyncSync(parent.fd);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    made = false;
  }
  const fd = openSync(path, flags);
  if (made) fchmodSync(fd, 0o700); // whatever the umask took
  return { fd, real, viaDescriptor };
};

/** Closes a folder. */
export const closeFolder = (folder: OpenFolder): void => closeSync(folder.fd);

/** Where an open file or folder really is, or a text that is no such path when that has changed. */
export const realPathOf = (folder: OpenFolder, fd: number, name: string | null): string => {
  if (folder.viaDescriptor) return readlinkSync(`/proc/self/fd/${fd}`);
  const path = name === null ? folder.real : `${folder.real}/${name}`;
  try {
    const [held, named] = [fstatSync(fd), lstatSync(path)];
    if (held.ino !== named.ino || held.dev !== named.dev) return `another file than ${path}`;
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === 'UNKNOWN') throw error;
    return `nothing at ${path}`;
  }
};
