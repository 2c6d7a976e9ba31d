/**
 * Bundles an app with everything it needs, so that it starts fast and needs only Node where it is deployed.
 *
 * Code splitting keeps a verb's code out of start-up: a dynamic import becomes a file of its own.
 * `singleFile` is for apps that people copy to a machine as one file.
 * `alone` names modules that are imported dynamically and whose start must be fast: each becomes one file with a copy of
 * what it needs, for opening twenty shared files costs more than reading one.
 */
import { chmod, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import { directImports } from './build-direct-imports.mjs';

/** CommonJS dependencies ask for `require`; an ES module has none unless it is made. */
const requireShim =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * @param {{ entries: Record<string, string>, outdir?: string, singleFile?: boolean, alone?: string[], external?: string[], alias?: Record<string, string> }} options
 */
export async function buildApp({
  entries,
  outdir = 'dist',
  singleFile = false,
  alone = [],
  external = [],
  alias = {},
}) {
  await rm(outdir, { recursive: true, force: true });
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'linked',
    banner: { js: requireShim },
    external,
    alias,
    logLevel: 'warning',
  };
  const apart = Object.fromEntries(alone.map((path) => [`${basename(path, '.ts')}-alone`, path]));
  await build({
    ...options,
    entryPoints: entries,
    splitting: !singleFile,
    plugins: [embeddedPrograms(), ...(singleFile ? [] : [standingAlone(apart), directImports()])],
  });
  // One build each: nothing is shared between them. What they import dynamically still stays out.
  for (const [name, path] of Object.entries(apart)) {
    await build({ ...options, entryPoints: { [name]: path }, splitting: true, plugins: [directImports()] });
  }
  for (const name of Object.keys(entries)) await chmod(`${outdir}/${name}.js`, 0o755);
}

/**
 * Makes `import text from 'program:./other.ts'` the text of that program, whole and small, for an app that starts it as a
 * process of its own and is still one file.
 * @returns {import('esbuild').Plugin}
 */
function embeddedPrograms() {
  const namespace = 'program';
  return {
    name: 'embedded-programs',
    setup(bundler) {
      bundler.onResolve({ filter: /^program:/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.slice(`${namespace}:`.length)),
        namespace,
      }));
      bundler.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
        const { outputFiles, metafile } = await build({
          entryPoints: [path],
          bundle: true,
          write: false,
          metafile: true,
          minify: true,
          platform: 'node',
          target: 'node20.19',
          format: 'cjs',
          logLevel: 'warning',
        });
        const [{ text }] = outputFiles;
        return {
          contents: text,
          loader: 'text',
          watchFiles: Object.keys(metafile.inputs).map((file) => resolve(file)),
        };
      });
    },
  };
}

/**
 * Points a dynamic import of such a module to its file, which lies beside the one that imports it.
 * @param {Record<string, string>} apart from the file's name to the module's path
 * @returns {import('esbuild').Plugin}
 */
function standingAlone(apart) {
  const names = new Map(Object.entries(apart).map(([name, path]) => [resolve(path), name]));
  return {
    name: 'standing-alone',
    setup(bundler) {
      bundler.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const name = kind === 'dynamic-import' ? names.get(resolve(resolveDir, path)) : undefined;
        return name === undefined ? undefined : { path: `./${name}.js`, external: true };
      });
    },
  };
}
