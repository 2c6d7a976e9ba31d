/**
 * A conference of 20 rounds from plan to report through the built command, at 100, 300 and 1,000 lanes: time and memory
 * must grow with the work, not faster. One child process a size, packets from a replay folder, no grant.
 *
 * `SCALE_ROUNDS` and `SCALE_LANES=100,300` make a smaller run.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDigest } from '@x/protocol';
import { conferenceMd, writeReplay, type Size } from './replay-folder.ts';

const COMMAND = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const ROUNDS = Number(process.env['SCALE_ROUNDS'] ?? 20);
const LANES = (process.env['SCALE_LANES'] ?? '100,300,1000').split(',').map(Number);
const SLOTS = 64;
const POLL_MS = 20;
const TICKS_PER_SECOND = 100;

interface Measured {
  readonly lanes: number;
  readonly seconds: number;
  /** Processor time: what is compared, for other work on the machine does not stretch it; 0 where unknown. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** Seconds of processor time of a process so far; null where the kernel does not say. */
function cpuOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Peak resident memory of a process, in MB, as the kernel counts it; null where it does not say. */
function peakOf(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  } catch {
    return null;
  }
}

async function measure(size: Size): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'conference-scale-'));
  try {
    const file = join(folder, 'conference.md');
    writeFileSync(file, conferenceMd(size));
    const plan = spawnSync(process.execPath, [COMMAND, 'plan', file, '--json'], { encoding: 'utf8' });
    const said: unknown = JSON.parse(plan.stdout);
    const named =
      typeof said === 'object' && said !== null && 'plan_digest' in said ? said.plan_digest : null;
    const digest = typeof named === 'string' ? parseDigest(named) : null;
    if (digest === null) throw new Error(`the plan is not complete: ${plan.stdout}${plan.stderr}`);
    const packets = join(folder, 'packets');
    writeReplay(packets, digest, size);
    return await runOnce(size, ['run', file, '--host', `replay:${packets}`, '--confirm', digest], SLOTS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOnce({ lanes, rounds }: Size, words: readonly string[], slots: number): Promise<Measured> {
  const before = performance.now();
  const child = spawn(process.execPath, [COMMAND, ...words, '--slots', String(slots), '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakMb = 0;
  let cpuSeconds = 0;
  const poll = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0) ?? 0);
    cpuSeconds = Math.max(cpuSeconds, cpuOf(child.pid ?? 0) ?? 0);
  }, POLL_MS);
  const chunks: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(poll);
  const seconds = (performance.now() - before) / 1_000;
  const text = Buffer.concat(chunks).toString('utf8');
  const said: unknown = code === 0 ? JSON.parse(text) : null;
  if (typeof said !== 'object' || said === null || !('end' in said) || said.end !== 'done') {
    throw new Error(
      `${lanes} lanes, ${rounds} rounds ended with ${String(code)}: ${Buffer.concat(errors).toString()}`,
    );
  }
  return { lanes, seconds, cpuSeconds, peakMb };
}

const measured: Measured[] = [];
for (const lanes of LANES) measured.push(await measure({ lanes, rounds: ROUNDS }));

const [first] = measured;
if (first === undefined) throw new Error('nothing was measured');
const timeOf = ({ seconds, cpuSeconds }: Measured): number => (cpuSeconds === 0 ? seconds : cpuSeconds);
for (const one of measured) {
  const { lanes, seconds, cpuSeconds, peakMb } = one;
  const perLane = timeOf(one) / lanes / (timeOf(first) / first.lanes);
  const exponent =
    lanes === first.lanes ? 1 : Math.log(timeOf(one) / timeOf(first)) / Math.log(lanes / first.lanes);
  console.log(
    JSON.stringify({
      bench: `conference.scale.${lanes}`,
      ratio: Number(perLane.toFixed(2)),
      aim: '<= 1.3',
      of: `the time a lane takes at ${first.lanes} lanes`,
      lanes,
      rounds: ROUNDS,
      seconds: Number(seconds.toFixed(2)),
      cpu_seconds: Number(cpuSeconds.toFixed(2)),
      ms_per_lane_and_round: Number(((seconds * 1_000) / lanes / ROUNDS).toFixed(3)),
      growth_exponent: Number(exponent.toFixed(2)),
      peak_mb: Math.round(peakMb),
      peak_mb_per_lane_ratio: Number((peakMb / lanes / (first.peakMb / first.lanes)).toFixed(2)),
    }),
  );
}
