/**
 * Finds the commands of this repository in a line of a document: `pnpm verify lint`, `npx pnpm@12 demo`, `just conductor`.
 *
 * Boundary: one line in, what it calls out. A word in angle brackets or capitals is a placeholder, not a name.
 */

export type NamedCommand =
  | { readonly kind: 'script'; readonly name: string; readonly of: string | undefined }
  | { readonly kind: 'recipe'; readonly name: string };

/** Commands of pnpm itself. `test` and `start` are scripts. */
const ownCommands = new Set(
  'add approve-builds audit bin cat-file config create dedupe deploy dlx doctor env exec fetch help i import init install link list licenses login ls outdated pack patch prune publish rebuild remove rm root self-update setup store up update version view why'.split(
    ' ',
  ),
);

const pnpmPattern = /(?:^|[\s(`;&|])(?:npx\s+(?:--yes\s+|-y\s+)?)?pnpm(?:@[\w.^~-]+)?\s+([^;&|)`]+)/g;
const justPattern = /(?:^|[;&|]\s*|\$\s+)just\s+([^;&|)`]+)/g;

export const namedCommands = (line: string): readonly NamedCommand[] => {
  const commands: NamedCommand[] = [];
  for (const [, rest = ''] of line.matchAll(pnpmPattern)) {
    const command = pnpmScript(rest.split(/\s+/).filter((word) => word !== ''));
    if (command !== undefined) commands.push(command);
  }
  for (const [, rest = ''] of line.matchAll(justPattern)) {
    const name = rest.split(/\s+/).find((word) => !word.startsWith('-'));
    if (name !== undefined && isName(name)) commands.push({ kind: 'recipe', name });
  }
  return commands;
};

const pnpmScript = (words: readonly string[]): NamedCommand | undefined => {
  let of: string | undefined;
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (word === '--filter' || word === '-F') {
      of = words[index + 1];
      index += 2;
    } else if (word.startsWith('--filter=')) {
      of = word.slice('--filter='.length);
      index += 1;
    } else if (word === '-C' || word === '--dir') {
      return undefined;
    } else if (word.startsWith('-') || word === 'run') index += 1;
    else return isName(word) && !ownCommands.has(word) ? { kind: 'script', name: word, of } : undefined;
  }
  return undefined;
};

/** Scripts and recipes are written in small letters; `<script>`, `NAME` and `[…]` stand for something else. */
const isName = (word: string): boolean => /^[a-z][a-z0-9:_-]*$/.test(word);
