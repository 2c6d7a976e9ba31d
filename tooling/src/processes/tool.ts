/**
 * The development tools of the repository, run with the network chatter of each turned off.
 *
 * Boundary: names and arguments; running-command.ts does the running.
 */
import { join } from 'node:path';
import { rootFolder } from '../root.ts';
import { runCommand } from './run-command.ts';
import type { CommandEnd } from './run-command.ts';

/** No tool may call home from a test run: it must pass on a machine without a network. */
export const quietEnvironment = {
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
} as const;

/** Runs `node_modules/.bin/<name>` of the repository and keeps its output. */
export const runTool = (
  name: string,
  args: readonly string[],
  cwd: string = rootFolder,
): Promise<CommandEnd> => runCommand(toolPath(name), args, { cwd, env: quietEnvironment, output: 'keep' });

export const toolPath = (name: string): string => join(rootFolder, 'node_modules/.bin', name);

/** Runs a task of every workspace folder; what is unchanged since its last success costs nothing. */
export const runTask = async (task: 'build' | 'typecheck'): Promise<CommandEnd> => {
  const args = [
    'run',
    task,
    '--output-logs=errors-only',
    '--log-order=grouped',
    '--continue=dependencies-successful',
  ];
  const end = await runTool('turbo', args);
  // turbo looks for the package manager on PATH, where only pnpm itself puts it.
  return end.output.includes('Unable to find package manager binary')
    ? {
        ...end,
        output: `${end.output}\npnpm is not on PATH. Start this through pnpm: npx pnpm@12 test (or verify)\n`,
      }
    : end;
};
