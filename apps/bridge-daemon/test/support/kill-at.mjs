/**
 * Loaded into a daemon before it: ends it with SIGKILL at the n-th change it makes to the world, counted from its first
 * record. Changes are writes, renames, links and removals of files, and writes to sockets.
 *
 * KILL_AT: which one, 1 for the first. KILL_WHEN: `before` it is made, or `after`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const killAt = Number(process.env.KILL_AT);
const before = process.env.KILL_WHEN === 'before';
let counted = 0;
let armed = process.env.KILL_FROM === 'start';

const counting =
  (change, arms) =>
  (...args) => {
    if (arms?.(args)) armed = true;
    if (!armed) return change(...args);
    counted += 1;
    if (counted === killAt && before) process.kill(process.pid, 'SIGKILL');
    const result = change(...args);
    if (counted === killAt && !before) process.kill(process.pid, 'SIGKILL');
    return result;
  };

/** The same for a change that calls back when it is made. */
const countingCallback =
  (change) =>
  (...args) => {
    if (!armed) return change(...args);
    counted += 1;
    const mine = counted === killAt;
    if (mine && before) process.kill(process.pid, 'SIGKILL');
    const done = args.pop();
    return change(...args, (...outcome) => {
      if (mine) process.kill(process.pid, 'SIGKILL');
      done(...outcome);
    });
  };

/** And for one that gives a promise. */
const countingPromise =
  (change) =>
  async (...args) => {
    if (!armed) return change(...args);
    counted += 1;
    const mine = counted === killAt;
    if (mine && before) process.kill(process.pid, 'SIGKILL');
    const result = await change(...args);
    if (mine) process.kill(process.pid, 'SIGKILL');
    return result;
  };

if (isMainThread && killAt > 0) {
  const writesRecord = ([path]) => typeof path === 'string' && path.includes('/.writing/');
  const { openSync } = fs;
  fs.openSync = (...args) => {
    if (writesRecord(args)) armed = true;
    return openSync(...args);
  };
  for (const name of [
    'writeSync',
    'writeFileSync',
    'ftruncateSync',
    'renameSync',
    'unlinkSync',
    'linkSync',
    'rmdirSync',
  ])
    fs[name] = counting(fs[name]);
  for (const name of ['rename', 'unlink', 'link', 'fdatasync', 'fsync'])
    fs[name] = countingCallback(fs[name]);
  for (const name of ['link', 'unlink', 'rmdir']) fs.promises[name] = countingPromise(fs.promises[name]);
  const plain = Socket.prototype;
  const write = Reflect.get(plain, 'write');
  plain.write = function (...args) {
    return counting((...given) => Reflect.apply(write, this, given))(...args);
  };
  syncBuiltinESMExports();
}
