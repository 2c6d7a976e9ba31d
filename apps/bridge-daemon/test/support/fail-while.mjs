/** Loaded into a daemon before it: while the file FAIL_WHILE exists, the disk is full for records and for the log. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const marker = process.env.FAIL_WHILE;

const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

if (isMainThread && marker) {
  const { openSync, writeSync, existsSync } = fs;
  const full = new Set();
  const note = (path, fd) => {
    if (path.includes('/.writing/') || path.endsWith('log.ndjson')) full.add(fd);
    else full.delete(fd);
  };
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    note(String(path), fd);
    return fd;
  };
  const { writeFileSync } = fs;
  fs.writeFileSync = (path, ...rest) => {
    if (String(path).includes('/.writing/') && existsSync(marker)) throw noSpace();
    return writeFileSync(path, ...rest);
  };
  fs.writeSync = (fd, ...rest) => {
    if (full.has(fd) && existsSync(marker)) throw noSpace();
    return writeSync(fd, ...rest);
  };
  syncBuiltinESMExports();
}
