/** Catches a stepwise example that no longer runs, or that needs more than the verbs it promises. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { conference, freshFolder, main } from './support/command.ts';

const SCRIPT = join(import.meta.dirname, '../examples/stepwise/run.sh');

test(
  'a shell script is the root of a whole conference, with a refused packet and a decision in it [CLI-07 CLI-08 CLI-09 LEDG-21]',
  { timeout: 180_000 },
  async () => {
    const cwd = freshFolder();
    const { PATH } = process.env;
    const ran = await promisify(execFile)('sh', [SCRIPT, 'out'], {
      cwd,
      env: { PATH, HOME: cwd, TMPDIR: cwd, CONFERENCE: `${process.execPath} ${main}` },
    });
    expect(ran.stderr).toBe('');
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('PACKET_EXTERNAL_ACTION'))).toHaveLength(1);
    expect(lines).toContain('asked     Round 1 is reviewed. Begin round 2?');
    expect(lines.slice(-2)).toEqual([
      'done      CONVERGED, target met: true',
      'report    out/final_report.md',
    ]);

    const out = join(cwd, 'out');
    const ledger = readFileSync(join(out, 'conference_events.jsonl'), 'utf8');
    expect(ledger).toContain('"driver":"stepwise"');
    expect(ledger).toContain('"option":"continue"');
    expect(ledger.match(/"event":"dispatch\.issued"/g)).toHaveLength(9);
    expect(ledger.match(/"event":"dispatch\.failed"/g)).toHaveLength(1);
    expect((await conference(['verify', out, '--deep'], { cwd })).code).toBe(0);
    const md = readFileSync(join(out, 'conference.md'), 'utf8');
    expect(md).toContain(
      '\n| 1 | A | 24 | start 49 takes 24 steps | validated |\n| 1 | B | - | PACKET_EXTERNAL_ACTION',
    );
    expect(md).toContain('\n| 2 | B | 124 | start 171 takes 124 steps | validated |\n');
    expect(md).toContain('\n- start 171 takes 124 steps (round 2, lane B, packet `');
  },
);

test('the script uses the stepwise verbs alone, and all of them', () => {
  const text = readFileSync(SCRIPT, 'utf8');
  const verbs = new Set([...text.matchAll(/^[^#\n]*\$conference (\w+)/gm)].map(([, verb = '']) => verb));
  expect([...verbs].toSorted()).toEqual([
    'confirm',
    'decide',
    'dispatch',
    'expire',
    'next',
    'plan',
    'submit',
  ]);
  expect(text.startsWith('#!/bin/sh\n')).toBe(true);
});
