/**
 * Bundles an app with everything it needs, so that it starts fast and needs only Node where it is deployed.
 *
 * Code splitting keeps a verb's code out of start-up: a dynamic import becomes a file of its own.
 * `singleFile` is for apps that people copy to a machine as one file.
 */
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

/** CommonJS dependencies ask for `require`; an ES module has none unless it is made. */
const requireShim =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * @param {{ entries: Record<string, string>, outdir?: string, singleFile?: boolean, external?: string[] }} options
 */
export async function buildApp({ entries, outdir = 'dist', singleFile = false, external = [] }) {
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: entries,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: !singleFile,
    minifySyntax: true,
    legalComments: 'linked',
    banner: { js: requireShim },
    external,
    logLevel: 'warning',
  });
  for (const name of Object.keys(entries)) await chmod(`${outdir}/${name}.js`, 0o755);
}
