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

/** Letters of the three languages, for a character class: `\p{L}` needs the flag `u`, which makes `i` eight times slower. */
export const LETTERS = 'A-Za-z\\u00C0-\\u024F\\u0400-\\u052F';
/** One letter. */
export const L = `[${LETTERS}]`;

/** One character of a sentence: a dot inside a file name or a version does not end it. */
const WITHIN = `(?:[^.!?;]|\\.(?=[${LETTERS}0-9]))`;

/** Any text within one sentence, at most so many characters. */
export const gap = (charactersMax: number): string => `${WITHIN}{0,${charactersMax}}?`;

/** The same, without a word that denies what follows. */
export const gapWithout = (words: string, charactersMax: number): string =>
  `(?:(?!(?<!${L})(?:${words}))${WITHIN}){0,${charactersMax}}?`;

/** Where a sentence begins. */
export const SENTENCE_START = '(?<=^|[.!?;:]\\s|["\'(]|[*–—-]\\s)';

/** Where a sentence or a clause begins: there a verb commands, or a participle reports. */
export const CLAUSE_START =
  '(?<=^|[.!?;:,"\'()\\[\\]*–—>-]\\s?["\'(*_]{0,2})(?:(?:and|then|also|now|so|und|dann|jetzt|bitte|please|kindly|будь ласка,?|і|та|тепер)\\s+){0,3}';

/** A whole phrase, upper or lower case. */
export const phrase = (source: string): RegExp =>
  new RegExp(`(?<![${LETTERS}0-9_])(?:${source})(?![${LETTERS}0-9_])`, 'i');

/** File names as children write them. */
export const FILE_NAME = `[${LETTERS}0-9_./-]{1,80}\\.(?:md|tsv|csv|json|jsonl|ts|tsx|js|mjs|py|rs|go|c|h|java|rb|sh|yaml|yml|toml|ini|cfg|conf|txt|sql|html|css|lock|env|patch|diff)`;
