/** Which known word a mistyped one was meant to be. */
import { distance } from 'fastest-levenshtein';

/** One slip in three letters is a typing error; more is another word. */
const LETTERS_PER_SLIP = 3;

/** The known word nearest to the given one, or undefined where none is near enough to be meant. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  const slipsMax = Math.ceil(word.length / LETTERS_PER_SLIP);
  let best: { readonly word: string; readonly slips: number } | undefined;
  for (const candidate of known) {
    const slips = distance(word.toLowerCase(), candidate.toLowerCase());
    if (slips <= slipsMax && (best === undefined || slips < best.slips)) best = { word: candidate, slips };
  }
  return best?.word;
}
