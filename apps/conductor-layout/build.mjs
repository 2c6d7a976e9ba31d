/**
 * Bundles the command into one CommonJS file that needs only Node.
 *
 * Not by the shared `buildApp`: a dry run is judged by its start-up (at most 1.6 times that of an empty
 * program), and for this one the YAML library decides. Its CommonJS build cannot be shaken, and the module
 * loader for ES modules costs more than this whole program; both together miss the mark, measured by
 * `bench/startup.bench.ts`.
 */
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const yamlFolder = dirname(createRequire(import.meta.url).resolve('yaml/package.json'));

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  // The same code as ES modules, without the switches that print to stdout when LOG_STREAM is set.
  alias: { yaml: join(yamlFolder, 'browser', 'index.js') },
  // A third of the text is a third of the time to compile it. The map is for the reader of a stack trace.
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'linked',
  logLevel: 'warning',
});
// The package is made of ES modules; this folder is not.
await writeFile('dist/package.json', `${JSON.stringify({ type: 'commonjs' })}\n`);
await chmod('dist/main.js', 0o755);
