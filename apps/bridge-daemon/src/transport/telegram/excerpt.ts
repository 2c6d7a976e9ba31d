/** The beginning of a text on one line, for lists and buttons. No half of a pair and no half of a grapheme. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const mark = '…';

/** At most `units` UTF-16 code units, the mark of a cut included; never empty. */
export const excerpt = (text: string, units: number): string => {
  // Enough for a text that is all white space; what follows could not be shown anyway.
  const line = text
    .slice(0, units * 8)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/\s+/gu, ' ')
    .trim();
  if (line === '') return mark;
  if (line.length <= units && text.length <= units * 8) return line;
  let cut = '';
  for (const { segment } of graphemes.segment(line.slice(0, units))) {
    if (cut.length + segment.length > units - mark.length) break;
    cut += segment;
  }
  return cut.trimEnd() + mark;
};
