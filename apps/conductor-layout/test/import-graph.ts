/**
 * The graph of imports of a repository of this shape: `packages/*`, `apps/*`, names `@x/<folder>`.
 *
 * By source, as the bundler resolves it, lazy imports included. An import of one of our packages leads to
 * all of that package's source files: more than is loaded, never less.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

export interface Reached {
  /** Source files, relative to the repository. */
  readonly files: ReadonlySet<string>;
  /** Names of outside packages that any of them imports or that their package.json depends on. */
  readonly outside: ReadonlySet<string>;
}

const CODE = /\.[cm]?[jt]s$/;
const NOT_SHIPPED = /(^|\/)(node_modules|dist|test|bench|coverage)(\/|$)|\.test\.ts$|\.d\.ts$/;

/** The folders under packages/ and apps/ that hold a package, relative to the repository. */
export function packageFolders(repository: string): string[] {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(repository, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(repository, folder, 'package.json'))),
  );
}

/** All code of a folder that is not a test, relative to the repository. */
function codeOf(repository: string, folder: string): string[] {
  const walk = (at: string): string[] =>
    readdirSync(join(repository, at), { withFileTypes: true }).flatMap((entry) => {
      const path = `${at}/${entry.name}`;
      if (NOT_SHIPPED.test(path.slice(folder.length))) return [];
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() && CODE.test(entry.name) ? [path] : [];
    });
  return walk(folder);
}

/** Everything that the code of a folder can reach. */
export async function reachFrom(repository: string, start: string): Promise<Reached> {
  const files = new Set<string>();
  const outside = new Set<string>();
  const folders = packageFolders(repository);
  const waiting = [start];
  const seen = new Set(waiting);
  // Bounded by the number of folders: each waits once.
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const names = [...dependenciesOf(repository, folder)];
    const entries = codeOf(repository, folder);
    if (entries.length > 0) {
      const { metafile } = await build({
        absWorkingDir: repository,
        entryPoints: entries,
        outdir: 'unused',
        bundle: true,
        write: false,
        metafile: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
        // `sideEffects: false` must not hide an import.
        ignoreAnnotations: true,
        logLevel: 'silent',
      });
      for (const [path, input] of Object.entries(metafile.inputs)) {
        files.add(relative(repository, resolve(repository, path)));
        for (const { path: imported, external } of input.imports)
          if (external === true) names.push(packageName(imported));
      }
    }
    for (const name of names) {
      const ours = folders.find((each) => nameOf(repository, each) === name);
      if (ours === undefined) outside.add(name);
      else if (!seen.has(ours)) {
        seen.add(ours);
        waiting.push(ours);
      }
    }
  }
  return { files, outside };
}

function manifest(repository: string, folder: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8'));
}

function nameOf(repository: string, folder: string): unknown {
  return manifest(repository, folder)['name'];
}

function dependenciesOf(repository: string, folder: string): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest(
    repository,
    folder,
  );
  return [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap((each) =>
    Object.keys(each ?? {}),
  );
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
