/**
 * Which modules a source file names: imports, re-exports, dynamic imports, types included.
 *
 * Boundary: one file's text in, specifiers out. A dynamic import of a computed name cannot be seen.
 */
import { parseSync } from 'oxc-parser';

export const importedModules = (fileName: string, text: string): readonly string[] => {
  const { module } = parseSync(fileName, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      literalOf(text.slice(moduleRequest.start, moduleRequest.end)),
    ),
  ];
  return [...new Set(specifiers.filter((specifier) => specifier !== undefined))];
};

const literalOf = (source: string): string | undefined => /^(['"`])([^'"`$\\]*)\1$/.exec(source)?.[2];
