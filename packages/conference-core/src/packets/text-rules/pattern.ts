/**
 * Building blocks of the text rules. Every gap is bounded and stops at the end of a sentence, so a pattern looks at
 * each character a bounded number of times.
 */
import type { RuleHead } from '../judged.ts';

export interface TextRule extends RuleHead {
  readonly language: 'en' | 'de' | 'uk';
  /** Members whose strings are looked at; `all` but those in `except`. */
  readonly fields: 'all' | readonly string[];
  readonly except?: readonly string[];
  readonly patterns: readonly RegExp[];
}

/** One character of a sentence: a dot inside a file name or a version does not end it. */
const WITHIN = '(?:[^.!?;]|\\.(?=[\\p{L}\\p{N}]))';

/** Any text within one sentence, at most so many characters. */
export const gap = (charactersMax: number): string => `${WITHIN}{0,${charactersMax}}?`;

/** The same, without a word that denies what follows. */
export const gapWithout = (words: string, charactersMax: number): string =>
  `(?:(?!(?<![\\p{L}])(?:${words}))${WITHIN}){0,${charactersMax}}?`;

/** Where a sentence begins. */
export const SENTENCE_START = '(?<=^|[.!?;:]\\s|["\'(]|[*–—-]\\s)';

/** Where a sentence or a clause begins: there a verb commands, or a participle reports. */
export const CLAUSE_START =
  '(?<=^|[.!?;:,"\'()\\[\\]*–—>-]\\s?["\'(*_]{0,2})(?:(?:and|then|also|now|so|und|dann|jetzt|bitte|please|kindly|будь ласка,?|і|та|тепер)\\s+){0,3}';

/** A whole phrase, upper or lower case, in any script. */
export const phrase = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'iu');

/** File names as children write them. */
export const FILE_NAME =
  '[\\p{L}\\p{N}_./-]{1,80}\\.(?:md|tsv|csv|json|jsonl|ts|tsx|js|mjs|py|rs|go|c|h|java|rb|sh|yaml|yml|toml|ini|cfg|conf|txt|sql|html|css|lock|env|patch|diff)';
