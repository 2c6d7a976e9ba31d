/**
 * An esbuild plugin: `import { name } from '@x/package'` becomes an import of the very file that defines the name.
 *
 * Why: with code splitting, whoever imports an index that re-exports everything is given a chunk with everything, schema
 * library included, however little of it is used. Our packages have no side effects and their indexes only re-export
 * by name, so going past them changes nothing but what is loaded. Look again when esbuild splits re-exports itself.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const importStatement = /import\s*\{([^}]*)\}\s*from\s*(['"])(@x\/[^'"]+)\2/g;
const exportStatement = /export\s*\{([^}]*)\}\s*from\s*(['"])(\.[^'"]+)\2/g;

/**
 * @typedef {{ readonly file: string, readonly name: string }} Definition
 */

/** @returns {import('esbuild').Plugin} */
export function directImports() {
  /** @type {Map<string, Map<string, Definition>>} */
  const indexes = new Map();
  const definitionsIn = (/** @type {string} */ index) => {
    const known = indexes.get(index) ?? readIndex(index);
    indexes.set(index, known);
    return known;
  };
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\.(ts|js)$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return null;
        const text = await readFile(path, 'utf8');
        if (!text.includes('@x/')) return null;
        const options = { kind: /** @type {const} */ ('import-statement'), resolveDir: dirname(path) };
        const resolved = new Map();
        for (const [, , , name = ''] of text.matchAll(importStatement)) {
          if (!resolved.has(name)) resolved.set(name, (await build.resolve(name, options)).path);
        }
        const contents = text.replaceAll(importStatement, (statement, names, _quote, from) =>
          rewrite(statement, names, definitionsIn(resolved.get(from) ?? '')),
        );
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/**
 * Names that the index does not re-export stay as they are.
 * @param {string} statement
 * @param {string} names
 * @param {Map<string, Definition>} definitions
 */
function rewrite(statement, names, definitions) {
  const wanted = entries(names).filter((entry) => !entry.startsWith('type '));
  /** @type {Map<string, string[]>} */
  const byFile = new Map();
  for (const entry of wanted) {
    const [name = '', local = name] = entry.split(/\s+as\s+/);
    const found = definitions.get(name);
    if (found === undefined) return statement;
    byFile.set(found.file, [...(byFile.get(found.file) ?? []), `${found.name} as ${local}`]);
  }
  return [...byFile]
    .map(([file, list]) => `import { ${list.join(', ')} } from ${JSON.stringify(file)}`)
    .join('; ');
}

/**
 * Where each name that an index re-exports is defined; indexes of indexes are followed.
 * @param {string} index
 * @returns {Map<string, Definition>}
 */
function readIndex(index) {
  const definitions = new Map();
  if (index === '') return definitions;
  for (const [, names = '', , from = ''] of readFileSync(index, 'utf8').matchAll(exportStatement)) {
    const file = join(dirname(index), from);
    const below = readIndex(file);
    for (const entry of entries(names)) {
      const [name = '', exported = name] = entry.split(/\s+as\s+/);
      definitions.set(exported, below.get(name) ?? { file, name });
    }
  }
  return definitions;
}

/** @param {string} names */
function entries(names) {
  return names
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
