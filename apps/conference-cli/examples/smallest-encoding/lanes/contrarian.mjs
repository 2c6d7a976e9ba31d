/**
 * Lane C, the contrarian: holds that the coder is not the point. It changes the bytes by reversible transforms first.
 *
 * Round 1 tries each idea alone. Later rounds take the best validated recipe, whoever found it, put together what has
 * gained, then change the chain one step at a time. Two of three proposals go on from the best recipe of all, one from the
 * best that ends in deflate.
 */
import { recipe } from '../encoding/recipe.mjs';
import { TRANSFORM_BY_NAME, TRANSFORMS } from '../transforms/index.mjs';
import { hasGained, moved } from './moves.mjs';
import { bestOf } from './proposal.mjs';

/**
 * @typedef {import('../encoding/recipe.mjs').Step} Step
 * @typedef {import('../encoding/recipe.mjs').Recipe} Recipe
 * @typedef {import('./moves.mjs').Move} Move
 * @typedef {import('./proposal.mjs').Finding} Finding
 * @typedef {import('./proposal.mjs').Proposal} Proposal
 */

const BROTLI = /** @type {const} */ (['brotli', { quality: 11, lgwin: 22 }]);
const HUFFMAN = /** @type {const} */ (['deflate', { level: 9, strategy: 'huffman' }]);

/** Burrows–Wheeler pays only together with what turns its runs into short codes. */
const GATHER = [{ name: 'bwt' }, { name: 'mtf' }, { name: 'zeros' }];

/**
 * What is put in or taken out as one. The first ones change what the text says about itself, and their amounts are worth
 * tuning before the others are tried.
 * @type {readonly (readonly Step[])[]}
 */
const MODELS = [
  [{ name: 'columns', amount: 1 }],
  [{ name: 'words', amount: 80 }],
  [{ name: 'case' }],
  [{ name: 'series' }],
];
const RECODINGS = [[{ name: 'front' }], GATHER, [{ name: 'pairs', amount: 32 }], [{ name: 'delta' }]];

const SURVEY = [
  recipe([{ name: 'columns', amount: 1 }], ...BROTLI),
  recipe([{ name: 'words', amount: 80 }], ...BROTLI),
  recipe([{ name: 'case' }], ...BROTLI),
  recipe(GATHER, ...HUFFMAN),
  recipe([{ name: 'delta' }], ...BROTLI),
];

/**
 * The planted fault of this example, in round 1 of every run: a size taken without comparing what decoding gives. It is
 * the smallest size of the whole conference, it would reach the target at once, and it is wrong. Review must find it.
 * @type {Proposal}
 */
const PLANTED = { recipe: recipe([{ name: 'sorted-words' }], ...BROTLI), from: null, uncompared: true };

/** @type {import('./proposal.mjs').Lane} */
export function* contrarianLane(findings, round) {
  if (round === 1) yield PLANTED;
  const family = (/** @type {'brotli' | 'deflate'} */ name) => {
    const same = findings.filter(({ recipe: { coder } }) => (coder === 'brotli') === (name === 'brotli'));
    return changes(bestOf(same, name), same);
  };
  yield* twoToOne(family('brotli'), family('deflate'));
  for (const each of SURVEY) yield { recipe: each, from: null };
}

/**
 * Changes of a finding's chain, its coder kept: what has gained put together, then one change at a time.
 * @param {Finding | null} from
 * @param {readonly Finding[]} findings those of the same family of coders: what helps one may harm the other
 * @returns {Proposal[]}
 */
function changes(from, findings) {
  if (from === null) return [];
  const together = MOVES.filter((move) => hasGained(move, findings)).reduce(
    (so, move) => move(so) ?? so,
    from.recipe,
  );
  return [{ recipe: together, from }, ...moved(from, MOVES, findings)];
}

/**
 * @param {readonly Step[]} idea
 * @returns {Move}
 */
function putIn(idea) {
  return ({ chain, coder, parameters }) => {
    const missing = idea.filter(({ name }) => !chain.some((step) => step.name === name));
    if (missing.length === 0) return null;
    return recipe(
      [...chain, ...missing].toSorted((a, b) => placeOf(a) - placeOf(b)),
      coder,
      parameters,
    );
  };
}

/**
 * @param {readonly Step[]} idea
 * @returns {Move}
 */
function takeOut(idea) {
  return ({ chain, coder, parameters }) => {
    const left = chain.filter(({ name }) => !idea.some((step) => step.name === name));
    return left.length === chain.length ? null : recipe(left, coder, parameters);
  };
}

/**
 * Moves of a transform's amount, one step up or down from each.
 * @param {string} transform
 * @returns {Move[]}
 */
function amountMoves(transform) {
  // Larger amounts come first: a longer table of words is the likelier gain.
  const amounts = (TRANSFORM_BY_NAME.get(transform)?.amounts ?? []).toReversed();
  return amounts.flatMap((amount, at) =>
    [amounts[at - 1], amounts[at + 1]]
      .filter((other) => other !== undefined)
      .map((other) => (/** @type {Recipe} */ { chain, coder, parameters }) => {
        const is = (/** @type {Step} */ step) => step.name === transform && step.amount === other;
        if (!chain.some(is)) return null;
        return recipe(
          chain.map((step) => (is(step) ? { name: transform, amount } : step)),
          coder,
          parameters,
        );
      }),
  );
}

/** @type {readonly Move[]} */
const MOVES = [
  ...MODELS.map(putIn),
  ...TRANSFORMS.flatMap(({ name }) => amountMoves(name)),
  ...RECODINGS.map(putIn),
  ...[...MODELS, ...RECODINGS].map(takeOut),
];

/** @param {Step} step */
function placeOf({ name }) {
  return TRANSFORMS.findIndex((transform) => transform.name === name);
}

/**
 * Two of the first, one of the second, and so on; when one has ended, the other goes on alone.
 * @param {readonly Proposal[]} first
 * @param {readonly Proposal[]} second
 * @returns {Iterable<Proposal>}
 */
function* twoToOne(first, second) {
  const [main, other] = [[...first], [...second]];
  while (main.length > 0 || other.length > 0) {
    yield* main.splice(0, 2);
    yield* other.splice(0, 1);
  }
}
