/**
 * Checks that CONTRIBUTING.md says why each library of the catalog is there, and speaks of none that is gone.
 *
 * Boundary: the two files' texts in, findings out. A library is spoken of where a table row begins with its name.
 */
import type { Finding } from './repository-facts.ts';

const document = 'CONTRIBUTING.md';

/** `pinned`: libraries that a single package.json pins outside the catalog, which may be explained as well. */
export const checkCatalog = (
  contributing: string,
  workspace: string,
  pinned: ReadonlySet<string> = new Set(),
): readonly Finding[] => {
  const catalog = catalogNames(workspace);
  const explained = explainedNames(contributing);
  const names = new Set(explained.map(({ name }) => name));
  return [
    ...catalog
      .filter((name) => !names.has(name))
      .map((name) => ({ document, line: 1, text: `nothing says why '${name}' of the catalog is there` })),
    ...explained
      .filter(({ name }) => !catalog.includes(name) && !pinned.has(name))
      .map(({ name, line }) => ({
        document,
        line,
        text: `'${name}' is explained, and nothing here depends on it`,
      })),
  ];
};

/** The keys of the `catalog:` block, which is the only nested block of that name. */
export const catalogNames = (workspace: string): readonly string[] => {
  const lines = workspace.split('\n');
  const start = lines.findIndex((line) => line.trimEnd() === 'catalog:');
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^\S/.test(line) && !line.startsWith('#'));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .map((line) => /^\s+['"]?([@\w./-]+)['"]?:/.exec(line)?.[1])
    .filter((name) => name !== undefined);
};

/** Names in the first cell of the tables whose heading is `library`. */
const explainedNames = (
  contributing: string,
): readonly { readonly name: string; readonly line: number }[] => {
  let inTable = false;
  return contributing.split('\n').flatMap((text, index) => {
    if (!text.startsWith('|')) inTable = false;
    else if (/^\|\s*library\s*\|/.test(text)) inTable = true;
    if (!inTable) return [];
    const [, cell = ''] = text.split('|');
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, line: index + 1 }));
  });
};
