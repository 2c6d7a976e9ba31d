/** Making names durable: a file that was made, renamed or linked is only there after its folder was synced. */
import { chmodSync, closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Syncs a folder, so that the names in it survive a crash. Throws what the system throws. */
export const syncFolder = (folder: string): void => {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** Makes a folder and the missing ones above it, each 0700 and durable. An existing one keeps its mode. */
export const makeFolder = (folder: string): void => {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    chmodSync(made, 0o700); // whatever the umask took
    syncFolder(dirname(made));
  }
};
