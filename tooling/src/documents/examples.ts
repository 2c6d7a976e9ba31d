/**
 * Snippets in documents that come from compiled files.
 *
 * A document marks the block that follows as a copy of a file, or of a region of it:
 *
 *     <!-- example: examples/first-steps.ts -->
 *     <!-- example: examples/first-steps.ts#opening -->
 *
 * where a region is what stands between `// #region opening` and `// #endregion` in the file.
 * Boundary: pure. `refreshExamples` makes the copies anew, `exampleFindings` says which are not equal.
 */
import { dirname, join } from 'node:path/posix';
import { includedIn } from '../verify/unchecked-sources.ts';
import { markdownParts } from './markdown-parts.ts';
import type { ExampleMark } from './markdown-parts.ts';
import type { Finding, RepositoryFacts } from './repository-facts.ts';

export const exampleFindings = (document: string, text: string, facts: RepositoryFacts): readonly Finding[] =>
  markdownParts(text).examples.flatMap((mark) => {
    const { line, block } = mark;
    const say = (sentence: string): readonly Finding[] => [{ document, line, text: sentence }];
    if (block === undefined || block.language !== 'ts')
      return say('an example mark stands here, and no ts block follows it');
    const source = snippetOf(document, mark, facts);
    if (source.code !== 'snippet') return say(source.reason);
    const notCompiled = whyNotCompiled(source.file, facts);
    if (notCompiled !== undefined) return say(notCompiled);
    return source.text === block.text.trimEnd()
      ? []
      : say(`the block differs from ${source.file}; 'pnpm documents --write' copies it anew`);
  });

/** The document with every marked block copied anew from its file. */
export const refreshExamples = (document: string, text: string, facts: RepositoryFacts): string => {
  let refreshed = text;
  // From the end, so that the offsets before stay true.
  for (const mark of markdownParts(text).examples.toReversed()) {
    const { block } = mark;
    const source = snippetOf(document, mark, facts);
    if (block === undefined || block.language !== 'ts' || source.code !== 'snippet') continue;
    refreshed = `${refreshed.slice(0, block.start)}\`\`\`ts\n${source.text}\n\`\`\`${refreshed.slice(block.end)}`;
  }
  return refreshed;
};

type Snippet =
  | { readonly code: 'snippet'; readonly file: string; readonly text: string }
  | { readonly code: 'missing'; readonly reason: string };

const snippetOf = (document: string, { file, region }: ExampleMark, facts: RepositoryFacts): Snippet => {
  const path = join(dirname(document), file);
  const text = facts.readFile(path);
  if (text === undefined) return { code: 'missing', reason: `the example ${path} does not exist` };
  if (region === undefined) return { code: 'snippet', file: path, text: text.trimEnd() };
  const part = regionOf(text, region);
  return part === undefined
    ? { code: 'missing', reason: `${path} has no '// #region ${region}' that '// #endregion' closes` }
    : { code: 'snippet', file: path, text: part };
};

/** The lines of a region without its marks, moved left by what all of them are indented. */
const regionOf = (text: string, region: string): string | undefined => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  if (start === -1) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.trim().startsWith('// #endregion'));
  if (length === -1) return undefined;
  const inside = lines.slice(start + 1, start + 1 + length);
  const indents = inside
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents, ...(indents.length === 0 ? [0] : []));
  return inside
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
};

/** An example that no compiler reads goes wrong without a word. */
const whyNotCompiled = (file: string, facts: RepositoryFacts): string | undefined => {
  const [parent = '', name = '', ...inside] = file.split('/');
  const folder = `${parent}/${name}`;
  const config = facts.readFile(`${folder}/tsconfig.json`);
  const included = config === undefined ? [] : includedIn(config);
  return included.some(
    (entry) => entry === inside[0] || entry === inside.join('/') || entry.startsWith(`${inside[0]}/`),
  )
    ? undefined
    : `${file} is not compiled: add '${inside[0]}' to "include" in ${folder}/tsconfig.json`;
};
