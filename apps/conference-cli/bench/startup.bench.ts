/**
 * `conference --help` and `conference status` from start to end against `node -e 0`, interleaved, as ratios.
 *
 * Boundary: the built command. A ratio is the median over rounds, each against the bare node of its own round, so that a
 * machine that is busy for a while shifts both.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = process.env['FULL'] === '1' ? 80 : 30;
const AIM = 1.6;
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const root = mkdtempSync(join(tmpdir(), 'bench-'));

function run(args: readonly string[]): number {
  const startedMs = performance.now();
  const ran = spawnSync(process.execPath, args, { cwd: root });
  if (ran.status !== 0)
    throw new Error(`${args.join(' ')}: ${ran.stdout.toString()}${ran.stderr.toString()}`);
  return performance.now() - startedMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A finished conference, from packets in files: two lanes, one round. */
function plantConference(): void {
  const files = join(root, 'files');
  mkdirSync(files);
  const base = (role: string): string =>
    `{"dispatch_id":"{{dispatch_id}}","role":"${role}","status":"completed","claims":[],"uncertainties":[],"recommended_root_actions":[],`;
  const research = `${base('researcher')}"hypotheses":[],"measurements":[{"name":"score","value":"50","provenance":"one run"}],"stuck_level":0}`;
  writeFileSync(join(files, 'r1-A.json'), research);
  writeFileSync(join(files, 'r1-B.json'), research);
  writeFileSync(
    join(root, 'conference.md'),
    `## Goal

Find the setting with the highest score.

## Mode

metric

## Success Metric

- **Metric:** score
- **Target:** >= 50
- **Direction:** maximize

## Researchers

- **Count:** 2
- **Iterations per round:** 1
- **Max rounds:** 1
- **Critic / Devil's Advocate:** no

## Search Space

- **Allowed changes:** settings
- **Forbidden changes:** none

## Constraints

- **Researcher timeout:** 1m
`,
  );
  const plan = spawnSync(process.execPath, [main, 'plan', '--json'], { cwd: root, encoding: 'utf8' });
  const { plan_digest } = JSON.parse(plan.stdout) as { plan_digest: string }; // as the plan tests pin it
  const args = ['run', '--host', 'replay:files', '--confirm', plan_digest, '--write-to', 'out'];
  // There is no poster among the files: it asks, which is as good a state to look at as any.
  const ran = spawnSync(process.execPath, [main, ...args], { cwd: root, encoding: 'utf8' });
  if (ran.status !== 3) throw new Error(`the run ended with ${String(ran.status)}: ${ran.stderr}`);
}

try {
  plantConference();
  const verbs = { help: ['--help'], status: ['status', 'out'] } as const;
  const ratios: Record<keyof typeof verbs, number[]> = { help: [], status: [] };
  const bareMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = run(['-e', '0']);
    bareMs.push(bare);
    ratios.help.push(run([main, ...verbs.help]) / bare);
    ratios.status.push(run([main, ...verbs.status]) / bare);
  }
  for (const verb of ['help', 'status'] as const) {
    const ratio = Math.round(median(ratios[verb]) * 100) / 100;
    const bare_ms = Math.round(median(bareMs));
    console.log(
      JSON.stringify({
        bench: `conference.${verb}.start`,
        ratio,
        aim: `<= ${AIM}`,
        ok: ratio <= AIM,
        bare_ms,
      }),
    );
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
