/**
 * Collects citations from where they are now: the last whole test run while it is fresh, else the tests' sources.
 *
 * Boundary: reads files under the root, judges nothing. A run is fresh while no source of the workspace is newer than it:
 * after an edit nobody knows whether its tests still pass.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { workspaceFolders } from '../root.ts';
import { walkFiles } from '../walk-files.ts';
import { citedIds } from './cited-ids.ts';
import { citationsOfRun } from './judge.ts';
import type { Citation } from './judge.ts';
import { sourceTitles } from './source-titles.ts';
import { readTestReport } from './test-report.ts';
import { parseExceptions, parseRequirements } from './table.ts';
import type { Parsed, Requirement, RequirementException } from './table.ts';

export type CitationSource =
  | { readonly from: 'run'; readonly at: Date; readonly citations: readonly Citation[] }
  | { readonly from: 'sources'; readonly why: string; readonly citations: readonly Citation[] };

/** The two tab-separated files in tooling/. */
export const readTables = (
  root: string,
): { readonly requirements: Parsed<Requirement>; readonly exceptions: Parsed<RequirementException> } => ({
  requirements: parseRequirements(readFileSync(join(root, 'tooling/requirements.tsv'), 'utf8')),
  exceptions: parseExceptions(readFileSync(join(root, 'tooling/requirement-exceptions.tsv'), 'utf8')),
});

export const readCitations = (
  root: string,
  reportFile: string,
  prefixes: ReadonlySet<string>,
): CitationSource => {
  const whyNot = staleness(root, reportFile);
  if (whyNot !== undefined)
    return { from: 'sources', why: whyNot, citations: citationsOfSources(root, prefixes) };
  const read = readTestReport(readFileSync(reportFile, 'utf8'));
  if (read.code === 'unreadable')
    return { from: 'sources', why: read.reason, citations: citationsOfSources(root, prefixes) };
  const tests = read.report.tests.map((test) => ({ ...test, file: relative(root, test.file) }));
  return { from: 'run', at: statSync(reportFile).mtime, citations: citationsOfRun(tests, prefixes) };
};

/** Why the report cannot be used; nothing when it can. */
const staleness = (root: string, reportFile: string): string | undefined => {
  const writtenMs = statSync(reportFile, { throwIfNoEntry: false })?.mtimeMs;
  if (writtenMs === undefined) return 'no whole test run was made yet';
  for (const folder of workspaceFolders(root)) {
    for (const path of walkFiles(join(root, folder))) {
      const changedMs = statSync(join(root, folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (changedMs > writtenMs) return `${folder}/${path} changed after the last whole test run`;
    }
  }
  return undefined;
};

/** In sources every citing test counts: nothing says yet that it fails. */
const citationsOfSources = (root: string, prefixes: ReadonlySet<string>): readonly Citation[] =>
  workspaceFolders(root).flatMap((folder) =>
    walkFiles(join(root, folder))
      .filter((path) => path.endsWith('.test.ts'))
      .flatMap((path) => {
        const file = `${folder}/${path}`;
        return sourceTitles(file, readFileSync(join(root, file), 'utf8')).flatMap(({ kind, title }) =>
          citedIds(title, prefixes).map((id) => ({
            id,
            title,
            file,
            counts: kind === 'test',
            inGroup: kind === 'group',
          })),
        );
      }),
  );
