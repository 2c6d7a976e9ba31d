// Catches a walk that lists what was installed or built, or that follows a link out of the folder.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';
import { walkFiles } from './walk-files.ts';

test('files are listed in order, without what is installed, built, or linked', () => {
  const folder = temporaryFolder({
    'b.ts': '',
    'a/z.ts': '',
    'a/node_modules/x.ts': '',
    'dist/x.js': '',
    '.git/config': '',
    '.ci/run': '',
  });
  symlinkSync('/etc', join(folder, 'link'));
  symlinkSync(folder, join(folder, 'a/loop'));
  expect(walkFiles(folder)).toEqual(['.ci/run', 'a/z.ts', 'b.ts']);
});

test('a folder that does not exist holds no files', () => {
  expect(walkFiles('/no/such/folder')).toEqual([]);
});
