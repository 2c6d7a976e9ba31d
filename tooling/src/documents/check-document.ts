/**
 * Checks that what a document names exists: links, anchors, paths, commands, and that its marked snippets are true.
 *
 * Boundary: a document's text and the repository's facts in, findings out.
 */
import { dirname, join } from 'node:path/posix';
import { exampleFindings } from './examples.ts';
import { markdownParts } from './markdown-parts.ts';
import { namedCommands } from './named-commands.ts';
import type { NamedCommand } from './named-commands.ts';
import { namedPath } from './named-paths.ts';
import { pathExists } from './repository-facts.ts';
import type { Finding, RepositoryFacts } from './repository-facts.ts';

/** Blocks in these languages hold commands. */
const shellLanguages = new Set(['', 'sh', 'bash', 'zsh', 'shell', 'console', 'text', 'shellsession']);

export const checkDocument = (document: string, text: string, facts: RepositoryFacts): readonly Finding[] => {
  const { links, codeSpans, blocks, anchors } = markdownParts(text);
  const findings: Finding[] = [];
  const say = (line: number, sentence: string): void =>
    void findings.push({ document, line, text: sentence });

  for (const { target, line } of links) {
    const wrong = wrongLink(document, target, anchors, facts);
    if (wrong !== undefined) say(line, wrong);
  }
  const checkWord = (word: string, line: number): void => {
    const path = namedPath(word, document);
    if (path !== undefined && !pathExists(facts, path))
      say(line, `\`${word}\` names ${path}, which does not exist`);
  };
  const checkCommands = (words: string, line: number): void => {
    for (const command of namedCommands(words)) {
      const wrong = wrongCommand(command, facts);
      if (wrong !== undefined) say(line, wrong);
    }
  };
  for (const { text: words, line } of codeSpans) {
    checkWord(words, line);
    checkCommands(words, line);
  }
  for (const block of blocks) {
    if (!shellLanguages.has(block.language)) continue;
    block.text.split('\n').forEach((words, index) => {
      const line = block.line + 1 + index;
      checkCommands(words, line);
      for (const word of words.split(/\s+/)) if (!word.startsWith('.')) checkWord(word, line);
    });
  }
  findings.push(...exampleFindings(document, text, facts));
  return findings.sort((left, right) => left.line - right.line);
};

const wrongLink = (
  document: string,
  target: string,
  anchors: ReadonlySet<string>,
  facts: RepositoryFacts,
): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('//')) return undefined;
  const hash = target.indexOf('#');
  const anchor = hash === -1 ? undefined : decoded(target.slice(hash + 1));
  const file = decoded(hash === -1 ? target : target.slice(0, hash));
  if (file === '')
    return anchor === undefined || anchors.has(anchor) ? undefined : `no heading has the anchor #${anchor}`;
  const path = file.startsWith('/') ? file.slice(1) : join(dirname(document), file);
  if (path.startsWith('..')) return `the link ${target} leaves the repository`;
  if (!pathExists(facts, path)) return `the link ${target} leads to ${path}, which does not exist`;
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  const other = facts.readFile(path);
  return other === undefined || markdownParts(other).anchors.has(anchor)
    ? undefined
    : `the link ${target} leads to a heading that ${path} does not have`;
};

const wrongCommand = (command: NamedCommand, facts: RepositoryFacts): string | undefined => {
  if (command.kind === 'recipe') {
    if (facts.recipes === undefined) return `\`just ${command.name}\` is named, and there is no justfile`;
    return facts.recipes.has(command.name) ? undefined : `the justfile has no recipe '${command.name}'`;
  }
  const { name, of } = command;
  if (of === undefined) return facts.scripts.has(name) ? undefined : `package.json has no script '${name}'`;
  const scripts = facts.packageScripts.get(of.replace(/^\.\.\.|\.\.\.$/g, ''));
  // A pattern or a path as a filter may name any number of packages.
  if (scripts === undefined)
    return of.startsWith('@x/') && !of.includes('*') ? `there is no package ${of}` : undefined;
  return scripts.has(name) ? undefined : `${of} has no script '${name}'`;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
