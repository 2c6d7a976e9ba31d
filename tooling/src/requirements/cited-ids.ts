/**
 * Finds the requirement ids that a test title cites: `… is set aside [LEDG-06 RECO-11]`.
 *
 * Boundary: one title in, ids out; whether an id exists is the gate's question.
 * Invariant numbers (`[C1 LEDG-06]`) may stand beside ids and are passed over; so are brackets that hold no id,
 * and names that only look alike (`[SHA-256]`, `[UTF-8]`): an id's letters are at least four, or known.
 */

const bracketPattern = /\[([^[\]]*)\]/g;
const idPattern = /^([A-Z]+)-?\d+$/;
const lettersMin = 4;

/** Ids in their order, each once. `prefixes` are the letters that ids of the table begin with. */
export const citedIds = (title: string, prefixes: ReadonlySet<string>): readonly string[] => {
  const ids = new Set<string>();
  for (const [, inside = ''] of title.matchAll(bracketPattern)) {
    for (const word of inside.split(/[\s,;]+/)) {
      const letters = idPattern.exec(word)?.[1];
      // `LEDG06` is taken for an id as well, so that the gate can call it unknown instead of passing it by.
      if (
        letters !== undefined &&
        (prefixes.has(letters) || (letters.length >= lettersMin && word.includes('-')))
      )
        ids.add(word);
    }
  }
  return [...ids];
};
