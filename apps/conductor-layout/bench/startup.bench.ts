/**
 * Start-up of a dry run against an empty program, in the same run, one after the other in turn.
 * Prints one JSON line a figure. Needs the built command.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const TEAMS = fileURLToPath(new URL('../examples/peers.yaml', import.meta.url));

/** Pairs of runs; the median of as many shrugs off what else the machine does. */
const ROUNDS = 41;

const EMPTY = ['-e', '0'];
const COMMANDS = {
  'layout.startup': [MAIN, 'docs', '--dry-run', '--peers', TEAMS],
  'layout.startup.help': [MAIN, '--help'],
} as const;

if (!existsSync(MAIN)) throw new Error('dist/main.js is missing: build the app first');

for (const [bench, words] of Object.entries(COMMANDS)) {
  const empty: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    empty.push(millisecondsOf(EMPTY));
    ours.push(millisecondsOf(words));
  }
  const ratio = Number((median(ours) / median(empty)).toFixed(2));
  process.stdout.write(`${JSON.stringify({ bench, ratio, aim: '<= 1.6' })}\n`);
}

function millisecondsOf(words: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`exit ${String(status)} of ${words.join(' ')}`);
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
