/**
 * Cutting text to a number of UTF-16 code units without ever halving a surrogate pair or a grapheme (05).
 * One grapheme longer than the budget is left out whole: the cut always ends.
 */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Lone halves of a surrogate pair become U+FFFD: no channel to a person carries them. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** The longest prefix of at most `units` code units that ends where a grapheme ends. */
export const graphemePrefix = (text: string, units: number): string => {
  if (text.length <= units) return text;
  if (units <= 0) return '';
  // A boundary is decided by what precedes it and the two code points after it; more is not looked at.
  const seen = text.slice(0, units + 4);
  const at = graphemes.segment(seen).containing(units);
  return text.slice(0, at === undefined ? 0 : at.index);
};

/** `text` where it fits into `units`, else its prefix and `mark`, together at most `units`; '' where not even the mark fits. */
export const cutTo = (text: string, units: number, mark: string): string => {
  if (text.length <= units) return text;
  return units < mark.length ? '' : graphemePrefix(text, units - mark.length) + mark;
};
