/**
 * A small repository of made-up tools, in which the real commands of tooling/src are run as a person would run them.
 *
 * Boundary: for tests. The commands are bundled into it, because they find their repository from where they lie and
 * starting each through tsx takes a second; `turbo`, `vitest` and the rest are shell scripts that the test writes.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { runCommand } from './processes/run-command.ts';
import type { CommandEnd } from './processes/run-command.ts';
import { rootFolder } from './root.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type FakeRepository = {
  readonly root: string;
  readonly run: (script: string, args?: readonly string[]) => Promise<CommandEnd>;
};

const bundles = new Map<string, string>();

const bundled = (script: string): string => {
  const known = bundles.get(script);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [join(rootFolder, 'tooling/src', script)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  bundles.set(script, text);
  return text;
};

/** `tools`: name → body of a shell script. `files`: what else lies in the repository. */
export const fakeRepository = (
  tools: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): FakeRepository => {
  const bin = Object.fromEntries(
    Object.entries(tools).map(([name, body]) => [`node_modules/.bin/${name}`, `#!/bin/sh\n${body}\n`]),
  );
  const root = temporaryFolder({
    'package.json': '{ "type": "module", "scripts": { "test": "x" } }',
    'tooling/package.json': '{ "name": "@x/tooling", "type": "module" }',
    'tooling/requirements.tsv':
      'id\tsource\tarea\trequirement\nLEDG-01\t0\tledger\tOne.\nLEDG-02\t0\tledger\tTwo.\n',
    'tooling/requirement-exceptions.tsv': 'id\treason\n',
    ...files,
    ...bin,
  });
  for (const path of Object.keys(bin)) chmodSync(join(root, path), 0o755);
  mkdirSync(join(root, 'tooling/src'), { recursive: true });
  symlinkSync(join(rootFolder, 'tooling/node_modules'), join(root, 'tooling/node_modules'));
  return {
    root,
    run: (script, args = []) => {
      const file = join(root, 'tooling/src', script.replace(/\.ts$/, '.mjs'));
      writeFileSync(file, bundled(script));
      return runCommand(process.execPath, [file, ...args], { cwd: root, output: 'keep' });
    },
  };
};

/** A body for `vitest`: writes `report` where it is asked to and ends with `exitCode`. */
export const fakeVitest = (report: unknown, exitCode: number, more = ''): string =>
  `${more}
for argument in "$@"; do
  case "$argument" in --outputFile.json=*) file="\${argument#*=}" ;; esac
done
cat > "$file" <<'REPORT'
${typeof report === 'string' ? report : JSON.stringify(report)}
REPORT
exit ${exitCode}`;

/** A runner's report of one file. */
export const reportOf = (root: string, tests: Readonly<Record<string, string>>): unknown => {
  const assertionResults = Object.entries(tests).map(([title, status]) => ({
    title,
    status,
    ancestorTitles: [],
  }));
  const failed = assertionResults.some(({ status }) => status === 'failed');
  return {
    success: !failed,
    testResults: [
      {
        name: join(root, 'packages/a/src/a.test.ts'),
        status: failed ? 'failed' : 'passed',
        assertionResults,
      },
    ],
  };
};
