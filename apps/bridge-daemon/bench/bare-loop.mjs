// Starts a program again and again, one after the other, and nothing else:
// `node bare-loop.mjs <times> <first> <program> <argument>…` prints how many a second. In arguments `%d` is the number of
// the start, counted from `first`.
import { spawn } from 'node:child_process';

const [times, first, program, ...args] = process.argv.slice(2);
const started = Number(times);
const began = performance.now();
for (let at = 0; at < started; at += 1)
  await new Promise((resolve) =>
    spawn(
      program,
      args.map((arg) => arg.replaceAll('%d', String(Number(first) + at))),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    ).on('close', resolve),
  );
process.stdout.write(`${started / ((performance.now() - began) / 1000)}\n`);
