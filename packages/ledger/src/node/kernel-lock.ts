/**
 * The lock itself: something the kernel takes back when its holder dies, however it dies.
 *
 * K1 It is released with the process, not with its children: no descriptor is inherited. K2 A stopped process keeps it.
 * K3 Linux: an abstract unix socket, bound to a name of the folder's owner, device and inode. The name fills all 108 bytes
 *    of the address: Node versions differ in how they end a shorter one, and would not exclude each other.
 * K4 macOS: `ledger.lock` opened with O_EXLOCK, which is flock(2) taken by open(2); it goes with the open file.
 * Other systems are refused: there is no lock here that would hold.
 */
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { errnoOf } from './fault.ts';

/** A held lock. `file`: descriptor of `ledger.lock` where the lock is on that file, else null. */
export type KernelLock = { readonly file: number | null; readonly release: () => Promise<void> };

/** Name of the file that tells who holds a folder. */
export const lockFileName = 'ledger.lock';

const addressBytes = 108;

/** The abstract socket name of a folder: the same for every path that leads to it. */
export const lockNameOf = (folder: string): string => {
  const { uid, dev, ino } = statSync(folder, { bigint: true });
  return `\0x-ledger-lock/${uid}/${dev}/${ino}/`.padEnd(addressBytes, '=');
};

/** Takes the lock of a folder, or says that somebody has it. Rejects with the system's error otherwise. */
export const takeKernelLock = async (folder: string): Promise<KernelLock | 'busy'> => {
  if (process.platform === 'linux') return bindName(lockNameOf(folder));
  if (process.platform === 'darwin') return openExclusive(join(folder, lockFileName));
  throw Object.assign(new Error(`no lock for ${process.platform}: Linux and macOS only`), {
    code: 'ENOTSUP',
  });
};

const bindName = (name: string): Promise<KernelLock | 'busy'> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (errnoOf(error) === 'EADDRINUSE') resolve('busy');
      else reject(error);
    });
    server.listen({ path: name, exclusive: true }, () => {
      server.unref(); // holding a lock is no reason to stay alive
      // A visitor that goes away in the middle is nothing to die of.
      server.on('error', () => undefined);
      const release = (): Promise<void> => new Promise((done) => server.close(() => done()));
      resolve({ file: null, release });
    });
  });

/** O_EXLOCK of <fcntl.h>; Node names it nowhere, and open(2) gets flags as they are. */
const exclusiveLockFlag = 0x20;

const openExclusive = (path: string): KernelLock | 'busy' => {
  const flags =
    constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK | exclusiveLockFlag;
  let fd: number;
  try {
    fd = openSync(path, flags, 0o600);
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN' || errnoOf(error) === 'EWOULDBLOCK') return 'busy';
    throw error;
  }
  const [held, named] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })];
  if (named === undefined || named.ino !== held.ino || named.dev !== held.dev) {
    closeSync(fd); // the name was replaced under us: this lock excludes nobody
    return 'busy';
  }
  return {
    file: fd,
    release: () => {
      closeSync(fd);
      return Promise.resolve();
    },
  };
};

/** Whether somebody holds the folder's lock now, without taking it on Linux (macOS: taken for a moment). */
export const isKernelLockHeld = async (folder: string): Promise<boolean> => {
  if (process.platform === 'linux') return answers(lockNameOf(folder));
  const lock = await takeKernelLock(folder);
  if (lock === 'busy') return true;
  await lock.release();
  return false;
};

const answers = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path: name });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Refused: nobody is bound to the name. Anything else (a full backlog of a stopped holder) means that somebody is.
    socket.once('error', (error) => resolve(errnoOf(error) !== 'ECONNREFUSED'));
  });
