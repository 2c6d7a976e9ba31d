/**
 * Runs the linter with the repository's own configuration over a tree that a test makes up.
 *
 * Boundary: for tests. The configuration and its plugin are copied, because its patterns count from the folder it lies in.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import { toolPath } from '../processes/tool.ts';
import { rootFolder } from '../root.ts';

export type LintFinding = { readonly file: string; readonly rule: string; readonly message: string };

/** Lints every file under `folder`, type-aware. */
export const lintFolder = async (folder: string): Promise<readonly LintFinding[]> => {
  cpSync(join(rootFolder, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  cpSync(join(rootFolder, 'tooling/src/lint'), join(folder, 'tooling/src/lint'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  const base = readFileSync(join(rootFolder, 'tsconfig.base.json'), 'utf8');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    base.replace('"compilerOptions": {', '"compilerOptions": { "noEmit": true,'),
  );
  const { stdout, output } = await runCommand(
    toolPath('oxlint'),
    ['--type-aware', '--deny-warnings', '-f', 'json'],
    {
      cwd: folder,
      output: 'keep',
    },
  );
  return findingsIn(stdout, output);
};

const findingsIn = (stdout: string, output: string): readonly LintFinding[] => {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    throw new Error(`the linter gave no JSON:\n${output}`);
  }
  const diagnostics: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'diagnostics') : undefined;
  if (!Array.isArray(diagnostics)) throw new Error(`the linter gave no diagnostics:\n${output}`);
  return diagnostics.map((diagnostic: Record<string, string | undefined>) => ({
    file: String(diagnostic['filename']),
    rule: String(diagnostic['code']),
    message: `${diagnostic['message'] ?? ''} ${diagnostic['help'] ?? ''}`.trim(),
  }));
};
