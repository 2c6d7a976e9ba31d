/**
 * The steps of `pnpm verify`, in the order in which they run.
 *
 * Boundary: each step runs something and gives back whether it holds and what to show when it does not.
 * A step never throws for a fault in what it checks. Those that need a build come after it.
 */
import { join } from 'node:path';
import { checkAllDocuments, findingLine } from '../documents/check-all.ts';
import { readRepository } from '../documents/read-repository.ts';
import { checkLayering } from '../layering/check-layering.ts';
import { readWorkspace } from '../layering/read-workspace.ts';
import { runCommand } from '../processes/run-command.ts';
import { runTask, runTool, toolPath } from '../processes/tool.ts';
import { rootFolder } from '../root.ts';
import { checkPackaging } from './packaging.ts';
import { readSourceFolders, uncheckedSources } from './unchecked-sources.ts';

export type StepResult = { readonly ok: boolean; readonly output: string };

export type VerifyOptions = { readonly full: boolean; readonly release: boolean };

export type Step = {
  readonly name: string;
  /** What it proves, for --help. */
  readonly proves: string;
  readonly run: (options: VerifyOptions) => Promise<StepResult>;
};

const found = (findings: readonly string[]): StepResult => ({
  ok: findings.length === 0,
  output: findings.join('\n'),
});

const script = (name: string, args: readonly string[]): Promise<StepResult> =>
  runCommand(toolPath('tsx'), [join(rootFolder, 'tooling/src', name), ...args], {
    cwd: rootFolder,
    output: 'keep',
  });

export const steps: readonly Step[] = [
  {
    name: 'format',
    proves: 'every file is formatted',
    run: () => runTool('oxfmt', ['--check', '.']),
  },
  {
    name: 'lint',
    proves: 'type-aware lint, tests included: layers, purity, floating promises, names, cycles',
    run: () => runTool('oxlint', ['--type-aware', '--deny-warnings']),
  },
  {
    name: 'layering',
    proves: 'dependencies and imports follow the arrows of the architecture',
    run: async () => found(checkLayering(readWorkspace(rootFolder))),
  },
  {
    name: 'build',
    proves: 'everything builds',
    run: () => runTask('build'),
  },
  {
    name: 'types',
    proves: 'everything type-checks, tests, benches and examples included',
    run: async () => {
      const { ok, output } = await runTask('typecheck');
      const unchecked = uncheckedSources(readSourceFolders(rootFolder));
      return { ok: ok && unchecked.length === 0, output: [...unchecked, ...(ok ? [] : [output])].join('\n') };
    },
  },
  {
    name: 'packaging',
    proves: 'packed archives resolve for installers and compilers',
    run: async () => found(await checkPackaging()),
  },
  {
    name: 'exports',
    proves: 'no export, file or dependency is dead',
    run: () => runTool('knip', ['--no-progress', '--no-config-hints']),
  },
  {
    name: 'documents',
    proves: 'paths, links, commands and snippets in the documents are true',
    run: async () => {
      const { facts, documents } = readRepository(rootFolder);
      return found(checkAllDocuments(documents, facts).map(findingLine));
    },
  },
  {
    name: 'tests',
    proves: 'every test passes and no process is left',
    run: ({ full }) => script('run-tests.ts', full ? ['--full'] : []),
  },
  {
    name: 'requirements',
    proves: 'no requirement is claimed without right; with --release none is open',
    run: ({ release }) => script('requirements.ts', ['--summary', ...(release ? ['--release'] : [])]),
  },
];
