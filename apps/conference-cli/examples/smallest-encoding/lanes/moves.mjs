/**
 * Moves: single changes of a recipe, and what the validated findings say about each of them.
 *
 * A move is known by pairs of findings that differ by it alone. One that gained stands first. One that lost much once, changed
 * no byte or never gained is settled: a conference pays for every measurement, and for its review.
 */
import { recipe, writeRecipe } from '../encoding/recipe.mjs';

/**
 * @typedef {import('./proposal.mjs').Recipe} Recipe
 * @typedef {import('./proposal.mjs').Finding} Finding
 * @typedef {import('./proposal.mjs').Proposal} Proposal
 * @typedef {(from: Recipe) => Recipe | null} Move null where the change makes no sense
 */

/** A move that made an encoding larger by more than this part of it is settled, */
const LOSS_SETTLED = 0.01;
/** one that left the size as it was after its first try, and any that never gained after this many. */
const TRIES_SETTLED = 4;

/**
 * What the moves make of a finding, those that gained most elsewhere first; settled ones are left out.
 * @param {Finding} from
 * @param {readonly Move[]} moves most promising first, as far as nothing is known
 * @param {readonly Finding[]} findings
 * @returns {Proposal[]}
 */
export function moved(from, moves, findings) {
  const sizes = new Map(findings.map(({ text, size }) => [text, size]));
  return moves
    .map((move) => ({ made: move(from.recipe), ratios: ratiosOf(move, findings, sizes) }))
    .filter(({ ratios }) => !settled(ratios))
    .toSorted((a, b) => Math.min(1, ...a.ratios) - Math.min(1, ...b.ratios))
    .flatMap(({ made }) => (made === null ? [] : [{ recipe: made, from }]));
}

/**
 * True where the move made some encoding smaller, all else equal.
 * @param {Move} move
 * @param {readonly Finding[]} findings
 */
export function hasGained(move, findings) {
  const sizes = new Map(findings.map(({ text, size }) => [text, size]));
  return ratiosOf(move, findings, sizes).some((ratio) => ratio < 1);
}

/**
 * New size over old size, for each pair of findings that differ by the move alone.
 * @param {Move} move
 * @param {readonly Finding[]} findings
 * @param {ReadonlyMap<string, number>} sizes
 */
function ratiosOf(move, findings, sizes) {
  return findings.flatMap((finding) => {
    const made = move(finding.recipe);
    const size = made === null ? undefined : sizes.get(writeRecipe(made));
    return size === undefined ? [] : [size / finding.size];
  });
}

/** @param {readonly number[]} ratios */
function settled(ratios) {
  if (ratios.some((ratio) => ratio < 1)) return false;
  const flat = ratios.length > 0 && ratios.every((ratio) => ratio === 1);
  return flat || ratios.length >= TRIES_SETTLED || ratios.some((ratio) => ratio > 1 + LOSS_SETTLED);
}

/**
 * Moves of a coder's parameters: one step up or down where values have an order, to any other where they have names.
 * @param {readonly string[]} coders the moves are for
 * @param {Readonly<Record<string, readonly import('../encoding/coders.mjs').Value[]>>} tuned values worth trying
 * @returns {Move[]}
 */
export function parameterMoves(coders, tuned) {
  return Object.entries(tuned).flatMap(([name, values]) =>
    values.flatMap((value, at) => {
      const others = typeof value === 'string' ? values : [values[at - 1], values[at + 1]];
      return others
        .filter((other) => other !== undefined && other !== value)
        .map(
          (other) =>
            (/** @type {Recipe} */ { chain, coder, parameters }) =>
              coders.includes(coder) && parameters[name] === other
                ? recipe(chain, coder, { ...parameters, [name]: value })
                : null,
        );
    }),
  );
}
