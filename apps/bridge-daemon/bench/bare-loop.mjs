// Starts a program again and again, one after the other, and nothing else: `node bare-loop.mjs <times> <program> <argument>…`
// prints how many a second.
import { spawn } from 'node:child_process';

const [times, program, ...args] = process.argv.slice(2);
const started = Number(times);
const began = performance.now();
for (let at = 0; at < started; at += 1)
  await new Promise((resolve) =>
    spawn(
      program,
      args.map((arg) => arg.replaceAll('%d', String(at))),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    ).on('close', resolve),
  );
process.stdout.write(`${started / ((performance.now() - began) / 1000)}\n`);
