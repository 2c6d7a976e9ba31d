/** The bug this exists to catch: an example that the README sends people to and that does not run. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conference, freshFolder } from './support/command.ts';
import { planDigest } from './support/conference-md.ts';
import { eventsNamed } from './support/folder.ts';

const EXAMPLE = join(import.meta.dirname, '../examples/minimal-child');

function missing(command: string, args: readonly string[]): string {
  return spawnSync(command, args).status === 0 ? '' : `${command} is not on this machine`;
}

const children = [
  { file: 'child.mjs', why: '' },
  { file: 'child.py', why: missing('python3', ['-c', '']) },
  { file: 'child.sh', why: missing('jq', ['--version']) },
];

for (const { file, why } of children) {
  describe.skipIf(why !== '')(`${file}${why && ` (skipped: ${why})`}`, () => {
    test('fills every seat: the conference of the README converges and verifies [CLI-18]', async () => {
      const place = freshFolder();
      cpSync(EXAMPLE, place, { recursive: true });
      const digest = await planDigest({ cwd: place });
      const args = ['--slots', '2', '--confirm', digest, '--write-to', 'out'];
      const ran = await conference(['run', '--host', `exec:./${file}`, ...args], { cwd: place });
      expect(ran.code, ran.err).toBe(0);
      expect(eventsNamed(join(place, 'out'), 'dispatch.failed')).toEqual([]);
      expect(eventsNamed(join(place, 'out'), 'conference.completed')).toMatchObject([
        { outcome: 'CONVERGED', target_met: true },
      ]);
      expect((await conference(['verify', 'out', '--deep'], { cwd: place })).code).toBe(0);
    });
  });
}
