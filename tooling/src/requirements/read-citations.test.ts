// Catches a table that praises an old run: after an edit nobody knows whether the cited tests still pass.
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { readCitations } from './read-citations.ts';

const prefixes = new Set(['LEDG']);
const source = "test('a [LEDG-01]', () => {});\ndescribe('g [LEDG-02]', () => {});\n";

const workspace = (report?: string) => {
  const root = temporaryFolder({
    'packages/ledger/package.json': '{}',
    'packages/ledger/src/a.test.ts': source,
    'packages/ledger/dist/b.test.ts': "test('built [LEDG-09]', () => {});",
    'packages/ledger/src/not-a-test.ts': "test('elsewhere [LEDG-08]', () => {});",
  });
  const reportFile = join(root, 'report.json');
  if (report !== undefined) writeFileSync(reportFile, report);
  const hourLaterS = Date.now() / 1000 + 3600;
  if (report !== undefined) utimesSync(reportFile, hourLaterS, hourLaterS);
  return { root, reportFile };
};

const reportOf = (root: string): string =>
  JSON.stringify({
    success: true,
    testResults: [
      {
        name: join(root, 'packages/ledger/src/a.test.ts'),
        status: 'passed',
        assertionResults: [{ title: 'ran [LEDG-03]', ancestorTitles: [], status: 'passed' }],
      },
    ],
  });

test('right after a clone the titles in the sources are read, those of build output and other files are not', () => {
  const { root, reportFile } = workspace();
  expect(readCitations(root, reportFile, prefixes)).toEqual({
    from: 'sources',
    why: 'no whole test run was made yet',
    citations: [
      {
        id: 'LEDG-01',
        title: 'a [LEDG-01]',
        file: 'packages/ledger/src/a.test.ts',
        counts: true,
        inGroup: false,
      },
      {
        id: 'LEDG-02',
        title: 'g [LEDG-02]',
        file: 'packages/ledger/src/a.test.ts',
        counts: false,
        inGroup: true,
      },
    ],
  });
});

test('a fresh run is believed, with files named from the root', () => {
  const { root, reportFile } = workspace('');
  writeFileSync(reportFile, reportOf(root));
  const hourLaterS = Date.now() / 1000 + 3600;
  utimesSync(reportFile, hourLaterS, hourLaterS);
  expect(readCitations(root, reportFile, prefixes)).toMatchObject({
    from: 'run',
    citations: [{ id: 'LEDG-03', file: 'packages/ledger/src/a.test.ts', counts: true }],
  });
});

test('a run that is older than any source is not believed, and the changed file is named', () => {
  const { root, reportFile } = workspace('');
  writeFileSync(reportFile, reportOf(root));
  utimesSync(reportFile, 1, 1);
  expect(readCitations(root, reportFile, prefixes)).toMatchObject({
    from: 'sources',
    why: expect.stringMatching(/^packages\/ledger\/.* changed after the last whole test run$/),
  });
});

test('a report that was cut off is not believed', () => {
  const { root, reportFile } = workspace('{"success": true, "tes');
  expect(readCitations(root, reportFile, prefixes)).toMatchObject({
    from: 'sources',
    why: expect.stringContaining('no JSON'),
  });
});
