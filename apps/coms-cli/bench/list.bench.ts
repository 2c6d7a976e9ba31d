/**
 * `coms list` from start to end against `node -e 0`, interleaved; and 10,000 registry entries against 1,000, whose
 * cost an entry must not grow.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const full = process.env['FULL'] === '1';
const rounds = full ? 60 : 25;
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const root = mkdtempSync(join(tmpdir(), 'bench-'));

function plant(coms: string, count: number): void {
  const agents = join(coms, 'projects', 'default', 'agents');
  mkdirSync(agents, { recursive: true, mode: 0o700 });
  const now = new Date().toISOString();
  for (let index = 0; index < count; index += 1) {
    const name = `agent${index}`;
    const entry = {
      session_id: `s${index}`,
      name,
      purpose: 'bench',
      model: 'm',
      color: 'c',
      pid: process.pid,
      endpoint: join(coms, 'sockets', `s${index}.sock`),
      cwd: '/w',
      started_at: now,
      explicit: false,
      version: 1,
      context_used_pct: 1,
      queue_depth: 0,
      heartbeat_at: now,
    };
    writeFileSync(join(agents, `${name}.json`), JSON.stringify(entry));
  }
}

function run(args: readonly string[], coms: string): number {
  const startedMs = performance.now();
  const ran = spawnSync(process.execPath, args, {
    env: { ...process.env, PI_COMS_DIR: coms },
    maxBuffer: 1 << 28,
  });
  if (ran.status !== 0) throw new Error(ran.stderr.toString());
  return performance.now() - startedMs;
}

/** The time that a tenth of the runs beat: on a busy machine the least disturbed ones say what the code costs. */
function fastTenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN;
}

const round2 = (value: number): number => Math.round(value * 100) / 100;

try {
  const five = join(root, 'five');
  plant(five, 5);
  const bareMs: number[] = [];
  const listMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bareMs.push(run(['-e', '0'], five));
    listMs.push(run([main, 'list'], five));
  }
  const ratio = round2(fastTenth(listMs) / fastTenth(bareMs));
  console.log(JSON.stringify({ bench: 'coms.list.start', ratio, aim: '<= 1.6', ok: ratio <= 1.6 }));

  const thousand = join(root, 'thousand');
  const tenThousand = join(root, 'ten');
  plant(thousand, 1_000);
  plant(tenThousand, 10_000);
  const emptyMs: number[] = [];
  const smallMs: number[] = [];
  const largeMs: number[] = [];
  for (let round = 0; round < (full ? 12 : 4); round += 1) {
    emptyMs.push(run([main, 'list', '--json'], join(root, 'none')));
    smallMs.push(run([main, 'list', '--json'], thousand));
    largeMs.push(run([main, 'list', '--json'], tenThousand));
  }
  const [empty, small, large] = [fastTenth(emptyMs), fastTenth(smallMs), fastTenth(largeMs)];
  /** What an entry costs among 10,000, against what it costs among 1,000: 10 would be quadratic. */
  const growth = round2((large - empty) / 10 / (small - empty));
  const ten_thousand_ms = Math.round(large);
  console.log(
    JSON.stringify({
      bench: 'coms.list.growth',
      ratio: growth,
      aim: '<= 2',
      ok: growth <= 2,
      ten_thousand_ms,
    }),
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
