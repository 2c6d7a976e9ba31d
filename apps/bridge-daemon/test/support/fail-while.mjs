/** Loaded into a daemon before it: while the file FAIL_WHILE exists, the disk is full for records and for the log. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const marker = process.env.FAIL_WHILE;

if (isMainThread && marker) {
  const { openSync, writeSync, existsSync } = fs;
  const full = new Set();
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    if (typeof path === 'string' && (path.includes('/.writing/') || path.endsWith('log.ndjson')))
      full.add(fd);
    else full.delete(fd);
    return fd;
  };
  fs.writeSync = (fd, ...rest) => {
    if (full.has(fd) && existsSync(marker))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return writeSync(fd, ...rest);
  };
  syncBuiltinESMExports();
}
