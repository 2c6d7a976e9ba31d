/**
 * Packs every folder that was built as it would be published, and checks the archive as an installer would meet it.
 *
 * Boundary: writes only into a temporary folder, which it removes.
 *  K1  The archive is what is judged, not the folder: workspace and catalog versions are resolved in it.
 *  K2  Nothing stale is published: every file of a package's dist comes from a source that still exists.
 */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import { quietEnvironment, runTool } from '../processes/tool.ts';
import { rootFolder, workspaceFolders } from '../root.ts';
import { walkFiles } from '../walk-files.ts';

/** Findings, one text each; empty where every archive is in order. */
export const checkPackaging = async (): Promise<readonly string[]> => {
  const built = workspaceFolders().filter((folder) => existsSync(join(rootFolder, folder, 'dist')));
  if (built.length === 0) return ['no folder has a dist: run the step `build` first'];
  const findings: string[] = [];
  for (const folder of built) findings.push(...staleFiles(folder), ...(await packedFindings(folder)));
  return findings;
};

const packedFindings = async (folder: string): Promise<readonly string[]> => {
  const temporary = mkdtempSync(join(tmpdir(), 'x-pack-'));
  try {
    const packed = await runCommand('pnpm', ['pack', '--pack-destination', temporary], {
      cwd: join(rootFolder, folder),
      env: quietEnvironment,
      output: 'keep',
    });
    const [archive] = readdirSync(temporary).filter((name) => name.endsWith('.tgz'));
    if (!packed.ok || archive === undefined)
      return [`${folder}: pnpm pack failed (${packed.end})\n${packed.output}`];
    const path = join(temporary, archive);
    const checks: [string, readonly string[]][] = [['publint', ['run', path, '--strict']]];
    // An app exports nothing, so there are no types to be wrong.
    if (hasExports(folder))
      checks.push(['attw', [path, '--profile', 'esm-only', '--no-emoji', '--no-color']]);
    const ends = await Promise.all(
      checks.map(async ([tool, args]) => ({ tool, ...(await runTool(tool, args)) })),
    );
    return ends.filter(({ ok }) => !ok).map(({ tool, output }) => `${folder}: ${tool}\n${output.trim()}`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

const hasExports = (folder: string): boolean => {
  const manifest: unknown = JSON.parse(readFileSync(join(rootFolder, folder, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'exports' in manifest;
};

/** The compiler never removes the output of a source that was deleted or renamed. */
const staleFiles = (folder: string): readonly string[] => {
  if (!existsSync(join(rootFolder, folder, 'tsconfig.build.json'))) return [];
  const sources = new Set(walkFiles(join(rootFolder, folder, 'src')));
  return walkFiles(join(rootFolder, folder, 'dist'))
    .filter((path) => /\.(js|d\.ts)$/.test(path) && !sources.has(path.replace(/(\.d\.ts|\.js)$/, '.ts')))
    .map(
      (path) => `${folder}/dist/${path} comes from no source any more: remove ${folder}/dist and build again`,
    );
};
