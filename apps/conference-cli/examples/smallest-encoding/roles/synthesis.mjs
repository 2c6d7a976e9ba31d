/** The synthesis: says what review has established, what failed, and what to decide next. It measures nothing. */
import { findingsOf, parsed, shownPackets } from '../evidence.mjs';
import { writeChain, writeRecipe } from '../encoding/recipe.mjs';

/** A packet's lists are bounded; what does not fit stands in the report all the same. */
const LIMITATIONS_MAX = 50;
/** What everybody has: the yardstick of the whole conference. */
const BASELINE = 'gzip level 9';

/**
 * @typedef {import('../evidence.mjs').Finding} Finding
 * @param {import('../charter.mjs').Charter} charter
 */
export function synthesize(charter) {
  const packets = shownPackets(charter).filter(({ lane }) => lane !== null);
  const all = findingsOf(packets);
  const verdictOf = new Map(
    packets.flatMap(({ measurements }) => measurements.map(({ ref, verdict }) => [ref, verdict])),
  );
  const those = (/** @type {string} */ verdict) =>
    firstOfEach(all.filter(({ ref }) => verdictOf.get(ref) === verdict));
  const validated = those('validated');
  return {
    dispatch_id: charter.dispatch_id,
    role: charter.role,
    status: 'completed',
    claims: [],
    uncertainties: limitationsOf(charter),
    recommended_root_actions: [],
    established: established(validated),
    promising: those('challenged').map((finding) => ({
      finding: `${finding.size} bytes, not yet measured again: ${finding.text}`,
      claim_refs: [finding.ref],
    })),
    negative_results: [
      ...those('overturned').map((finding) => ({
        finding: `Not ${finding.size} bytes, whatever lane ${finding.lane} claimed: ${finding.text}`,
        claim_refs: [finding.ref],
      })),
      ...harmful(validated),
    ],
    contradictions: those('overturned').map(
      ({ lane, round, size, text }) =>
        `Lane ${lane} claimed ${size} bytes in round ${round}, and review could not reproduce it: ${text}`,
    ),
    next_decisions: nextDecisions(charter, validated),
  };
}

/**
 * One finding a recipe: controls repeat earlier ones.
 * @param {readonly Finding[]} findings smallest first, of equals the one measured first
 */
function firstOfEach(findings) {
  const seen = new Set();
  return findings.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** @param {readonly Finding[]} validated smallest first */
function established(validated) {
  const [best] = validated;
  if (best === undefined) return [];
  const baseline = validated.find(({ text }) => text === BASELINE);
  const plain = validated.find(({ recipe: { chain } }) => chain.length === 0);
  const deflate = validated.find(({ recipe: { coder } }) => coder !== 'brotli');
  const alone = new Map(
    pairsOf(validated)
      .filter(({ after, before }) => before.recipe.chain.length === 0 && after.size < before.size)
      .toReversed()
      .map((pair) => [writeChain(pair.after.recipe.chain), pair]),
  );
  return [
    { finding: `The smallest encoding found has ${best.size} bytes: ${best.text}`, claim_refs: [best.ref] },
    ...(baseline === undefined ? [] : [under('The smallest encoding', best, baseline)]),
    ...(plain === undefined ? [] : [under('The smallest encoding', best, plain)]),
    ...(deflate === undefined || plain === undefined
      ? []
      : [under(`Deflate after transforms (${deflate.text})`, deflate, plain)]),
    ...[...alone].map(([chain, { after, before }]) => under(`With ${chain} alone the file`, after, before)),
  ].filter(({ finding }) => finding !== '');
}

/**
 * How far one finding lies under another; no sentence where it does not.
 * @param {string} what
 * @param {Finding} smaller
 * @param {Finding} larger
 */
function under(what, smaller, larger) {
  const saved = larger.size - smaller.size;
  return {
    finding:
      saved > 0
        ? `${what} has ${smaller.size} bytes, ${percent(saved, larger.size)} under the ${larger.size} of ${larger.text}.`
        : '',
    claim_refs: [smaller.ref, larger.ref],
  };
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/**
 * Findings that differ by the last transform alone.
 * @param {readonly Finding[]} validated
 */
function pairsOf(validated) {
  const byText = new Map(validated.map((finding) => [finding.text, finding]));
  return validated.flatMap((after) =>
    after.recipe.chain.flatMap((step) => {
      const chain = after.recipe.chain.filter((other) => other !== step);
      const before = byText.get(writeRecipe({ ...after.recipe, chain }));
      return before === undefined ? [] : [{ step, before, after }];
    }),
  );
}

/**
 * The transforms that made an encoding larger wherever they were tried, with their mildest case.
 * @param {readonly Finding[]} validated
 */
function harmful(validated) {
  /** @type {Map<string, ReturnType<typeof pairsOf>>} */
  const byStep = new Map();
  for (const pair of pairsOf(validated)) {
    byStep.set(pair.step.name, [...(byStep.get(pair.step.name) ?? []), pair]);
  }
  return [...byStep].flatMap(([name, pairs]) => {
    if (pairs.some(({ before, after }) => after.size < before.size)) return [];
    const mildest = pairs.toSorted(
      (a, b) => a.after.size - a.before.size - (b.after.size - b.before.size),
    )[0];
    const lost = mildest.after.size - mildest.before.size;
    return [
      {
        finding: `${name} helped nowhere (tried ${pairs.length} times); at best it costs ${lost} bytes: ${mildest.after.text}`,
        claim_refs: [mildest.after.ref, mildest.before.ref],
      },
    ];
  });
}

/**
 * @param {import('../charter.mjs').Charter} charter
 * @param {readonly Finding[]} validated
 */
function nextDecisions({ success_definition: { metric } }, [best]) {
  if (best === undefined) return ['Nothing was validated: decide whether to run again.'];
  return [
    `Adopt this recipe or not: ${best.text}`,
    `The target was ${metric?.target ?? 'open'}, the best is ${best.size}. Single changes of the best recipe are used up; ` +
      'decide whether a coder that predicts from context is worth its time.',
  ];
}

/**
 * The limitations that the root declares, as they stand in the charter.
 * @param {import('../charter.mjs').Charter} charter
 */
function limitationsOf({ read_context }) {
  const list = parsed(read_context.find(({ source }) => source === 'limitations')?.excerpt ?? '');
  return [
    'Sizes hold for this file and for this build of the coders.',
    ...(Array.isArray(list) ? list.slice(0, LIMITATIONS_MAX).map(String) : []),
  ];
}
