/** The program of the process that starts programs, as the build puts it into the daemon's one file. */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export const workerText = (): string => {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('../../src/transport/serve-processes.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
};
