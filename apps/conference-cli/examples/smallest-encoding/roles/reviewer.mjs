/**
 * The reviewer: believes no number. It makes every recipe again from the file itself, decodes, compares and counts, and
 * gives a verdict on each claim and each measurement by its ref.
 */
import { readClaim } from '../claim-text.mjs';
import { measureAll } from '../encoding/measure.mjs';
import { readRecipe } from '../encoding/recipe.mjs';
import { shownPackets, sizeOf } from '../evidence.mjs';

/**
 * @typedef {import('../encoding/measure.mjs').Measured} Measured
 * @typedef {{ ref: string, stated: string, recipe: string | null, size: number | null }} Entry one thing to judge
 */

/**
 * @param {import('../charter.mjs').Charter} charter
 * @param {import('../charter.mjs').Corpus} corpus
 */
export async function review(charter, corpus) {
  const entries = shownPackets(charter)
    .filter(({ lane }) => lane !== null)
    .flatMap(entriesOf);
  const known = await measureTexts(
    entries.flatMap(({ recipe }) => recipe ?? []),
    corpus.bytes,
  );
  return {
    dispatch_id: charter.dispatch_id,
    role: charter.role,
    status: 'completed',
    claims: [],
    uncertainties: ['Sizes hold for this file and for this build of the coders.'],
    recommended_root_actions: [],
    verdicts: entries.map((entry) => ({
      claim: entry.stated,
      claim_ref: entry.ref,
      ...judged(entry, known.get(entry.recipe ?? '') ?? null, corpus.bytes.length),
    })),
  };
}

/**
 * The claims and measurements of a packet. A claim whose words gave way to the charter's bound is read from the
 * measurement at the same place.
 * @param {import('../evidence.mjs').ShownPacket} packet
 * @returns {Entry[]}
 */
function entriesOf({ claims, measurements }) {
  const measured = measurements.map(({ ref, name, value, provenance }) => ({
    ref,
    stated: `${name} ${value}`,
    recipe: provenance,
    size: sizeOf(value),
  }));
  const claimed = claims.map(({ ref, claim }) => {
    if (typeof claim !== 'string') {
      const same = measured.find((each) => each.ref === ref.replace('#c', '#m'));
      return { ref, stated: same?.stated ?? ref, recipe: same?.recipe ?? null, size: same?.size ?? null };
    }
    const read = readClaim(claim);
    return { ref, stated: claim, recipe: read?.recipe ?? null, size: read?.size ?? null };
  });
  return [...claimed, ...measured];
}

/**
 * Each recipe once, however often it is claimed.
 * @param {readonly string[]} texts
 * @param {Uint8Array} bytes
 * @returns {Promise<Map<string, Measured>>} without those that are no recipe
 */
async function measureTexts(texts, bytes) {
  const recipes = [...new Set(texts)].flatMap((text) => {
    const recipe = readRecipe(text);
    return recipe === null ? [] : [{ text, recipe }];
  });
  const results = await measureAll(
    bytes,
    recipes.map(({ recipe }) => recipe),
  );
  return new Map(recipes.map(({ text }, at) => [text, results[at]]));
}

/**
 * @param {Entry} entry
 * @param {Measured | null} found
 * @param {number} length bytes of the file
 */
function judged({ size }, found, length) {
  if (found === null || size === null) {
    return {
      verdict: 'challenged',
      reason: 'It names no recipe that can be made again, or no size.',
      evidence: 'Nothing could be measured.',
      confidence: 'high',
    };
  }
  if (found.fault !== null) {
    return {
      verdict: 'overturned',
      reason: 'This is no encoding, since it cannot be undone.',
      evidence: `Made again from its recipe it takes ${found.size} bytes, but ${found.fault}.`,
      confidence: 'high',
    };
  }
  const evidence = `Made again from its recipe it takes ${found.size} bytes, and decoding gives back all ${length}.`;
  return found.size === size
    ? {
        verdict: 'validated',
        reason: 'The size was measured again and is the same.',
        evidence,
        confidence: 'high',
      }
    : { verdict: 'overturned', reason: `The size is not ${size}.`, evidence, confidence: 'high' };
}
