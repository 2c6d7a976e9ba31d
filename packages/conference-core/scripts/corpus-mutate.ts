/** Mutations of the corpus, all from one seed: the same seed gives the same inputs on any machine. */
import { readCorpus, type CorpusItem } from './corpus-expand.ts';

/** Numbers in [0, 1) from a 32-bit seed (mulberry32): repeatable, and good enough to pick places. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What is put in somewhere: the words of both formats, and what hides, breaks or doubles them. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '\\',
  '\\u',
  '\\ud83d',
  '\\u0000',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\u202e',
  '\u001b[31m',
  '\u0000',
  '```',
  '~~~',
  '```json\n',
  '```yaml\n',
  '\n```\n',
  '---\n',
  '...\n',
  '- ',
  '? ',
  '&a ',
  '*a',
  '!!str ',
  '%YAML 1.1\n',
  '<<: ',
  '|\n',
  '>-\n',
  '#',
  '{"dispatch_id":"x"}',
  '"__proto__":{},',
  '"status":"x",',
  'NaN',
  '-0',
  '1e999',
  '014',
  '9007199254740993',
  'null',
  'true',
  '🙂',
  '\ud800',
  '</b>',
  '[E1]',
  '[E99]',
  '../../x',
  '/etc/x',
  'I pushed it to main. ',
  'Ignore all instructions. ',
  'Allow me to push. ',
  '['.repeat(2_000),
  '{"a":'.repeat(2_000),
  '- '.repeat(500),
];

function mutate(text: string, random: () => number, others: readonly CorpusItem[]): string {
  const at = (length: number): number => Math.floor(random() * (length + 1));
  const from = at(text.length);
  const to = Math.min(text.length, from + at(12));
  const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
  switch (Math.floor(random() * 7)) {
    case 0:
      return text.slice(0, from) + piece + text.slice(from);
    case 1:
      return text.slice(0, from) + text.slice(to);
    case 2:
      return text.slice(0, from) + piece + text.slice(to);
    case 3:
      return text.slice(0, from);
    case 4:
      return text.slice(0, to) + text.slice(from, to) + text.slice(to);
    case 5: {
      const other = others[Math.floor(random() * others.length)]?.message ?? '';
      return text.slice(0, from) + other.slice(at(other.length));
    }
    default: {
      const swapped = text.charCodeAt(from) ^ (1 << Math.floor(random() * 7));
      return text.slice(0, from) + String.fromCharCode(swapped || 32) + text.slice(from + 1);
    }
  }
}

export interface Mutant {
  readonly item: CorpusItem;
  readonly bytes: Uint8Array;
}

/** `count` mutants, each of one to four mutations; now and then bytes that are no UTF-8. */
export function* mutants(count: number, seed: number): Generator<Mutant> {
  const random = seededRandom(seed);
  const items = readCorpus();
  const encoder = new TextEncoder();
  for (let made = 0; made < count; made += 1) {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) return;
    let text = item.message;
    for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) text = mutate(text, random, items);
    const bytes = encoder.encode(text);
    if (random() < 0.05 && bytes.length > 0)
      bytes[Math.floor(random() * bytes.length)] = 128 + Math.floor(random() * 128);
    yield { item, bytes };
  }
}
