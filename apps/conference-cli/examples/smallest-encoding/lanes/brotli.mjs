/** Lane A: tunes Brotli. First on the file as it is, then after the best chains of transforms that review has validated. */
import { recipe } from '../encoding/recipe.mjs';
import { moved, parameterMoves } from './moves.mjs';
import { bestOf } from './proposal.mjs';

const SURVEY = [
  { quality: 9, lgwin: 22 },
  { quality: 10, lgwin: 22 },
  { quality: 11, lgwin: 22 },
  { quality: 11, lgwin: 16 },
  { quality: 11, lgwin: 22, mode: 'text' },
  { quality: 11, lgwin: 22, hint: 'size' },
];

const MOVES = parameterMoves(['brotli'], {
  mode: ['generic', 'text', 'font'],
  lgwin: [16, 18, 20, 22],
  lgblock: [0, 16, 18],
  contexts: ['on', 'off'],
  hint: ['none', 'size'],
});

/** @type {import('./proposal.mjs').Lane} */
export function* brotliLane(findings) {
  const best = bestOf(findings, 'brotli');
  if (best !== null) yield* moved(best, MOVES, findings);
  for (const parameters of SURVEY) yield { recipe: recipe([], 'brotli', parameters), from: null };
}
