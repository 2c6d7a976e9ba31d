/**
 * Lane B: tunes deflate, bare and in its zlib and gzip wrappings. Its first measurement is the baseline, gzip at level 9;
 * later it starts from the best validated recipe that ends in deflate, whoever found it, and asks what the best chain of
 * all is worth to deflate.
 */
import { recipe } from '../encoding/recipe.mjs';
import { moved, parameterMoves } from './moves.mjs';
import { bestOf } from './proposal.mjs';

/** @type {readonly [string, import('../encoding/coders.mjs').Parameters][]} */
const SURVEY = [
  ['gzip', { level: 9 }],
  ['zlib', { level: 9 }],
  ['deflate', { level: 9 }],
  ['deflate', { level: 9, mem: 9 }],
  ['deflate', { level: 9, strategy: 'filtered' }],
  ['deflate', { level: 9, strategy: 'huffman' }],
];

/** The wrappings differ by a fixed number of bytes, so only the smallest one is tuned. */
const MOVES = parameterMoves(['deflate'], {
  strategy: ['default', 'filtered', 'huffman', 'rle', 'fixed'],
  mem: [5, 6, 7, 8, 9],
  window: [13, 14, 15],
  level: [6, 7, 8, 9],
});

/** @type {import('./proposal.mjs').Lane} */
export function* deflateLane(findings) {
  const best = bestOf(findings, 'deflate');
  const [overall] = findings;
  if (best !== null && overall !== undefined) {
    yield* moved(best, MOVES, findings);
    yield { recipe: recipe(overall.recipe.chain, 'deflate'), from: overall };
  }
  for (const [coder, parameters] of SURVEY) yield { recipe: recipe([], coder, parameters), from: null };
}
