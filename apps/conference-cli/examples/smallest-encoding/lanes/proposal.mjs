/**
 * What a lane does: it proposes recipes, most promising first, given what review has validated so far. It may propose what
 * is known already or more than it is allowed: the researcher takes the first new ones.
 */
import { writeRecipe } from '../encoding/recipe.mjs';

/**
 * @typedef {import('../encoding/recipe.mjs').Recipe} Recipe
 * @typedef {import('../evidence.mjs').Finding} Finding
 *
 * @typedef {object} Proposal
 * @property {Recipe} recipe
 * @property {Finding | null} from the finding it starts from; null in a survey
 * @property {true} [uncompared] the lane does not compare what decoding gives: only the planted fault has it
 *
 * @typedef {(findings: readonly Finding[], round: number) => Iterable<Proposal>} Lane findings stand smallest first
 */

/**
 * The best finding of a family of coders.
 * @param {readonly Finding[]} findings smallest first
 * @param {'brotli' | 'deflate'} family
 */
export function bestOf(findings, family) {
  return findings.find(({ recipe: { coder } }) => (coder === 'brotli') === (family === 'brotli')) ?? null;
}

/**
 * The first proposals that nobody has measured, at most `most` of them.
 * @param {Iterable<Proposal>} proposals
 * @param {readonly Finding[]} findings
 * @param {number} most
 */
export function newOnes(proposals, findings, most) {
  const known = new Set(findings.map(({ text }) => text));
  /** @type {Proposal[]} */
  const taken = [];
  for (const proposal of proposals) {
    if (taken.length === most) break;
    const text = writeRecipe(proposal.recipe);
    if (known.has(text)) continue;
    known.add(text);
    taken.push(proposal);
  }
  return taken;
}
