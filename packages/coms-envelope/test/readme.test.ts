/** The bug this exists to catch: a README whose program does not run. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from './coms-dir.ts';

test('the program of the README runs against the built package and prints what the README says', () => {
  const folder = join(import.meta.dirname, '..');
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const program = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const says = /It prints `([^`]+)`/.exec(readme)?.[1];
  const env = { ...process.env, PI_COMS_DIR: join(tempFolder(), 'c') };
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect([ran.stdout.trim(), ran.stderr, ran.status]).toEqual([says, '', 0]);
});
