/** Catches a decision that differs from the frozen vectors: documents with the answers every implementation must give. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { evaluateDocuments } from './evaluate-document.ts';

const vectorsSchema = z.array(
  z.strictObject({
    in: z.unknown(),
    out: z.strictObject({
      outcome: z.string(),
      winner: z.string().nullable(),
      target_met: z.boolean(),
      held: z.record(z.string(), z.boolean()),
      round_bests: z.array(z.string().nullable()).optional(),
    }),
  }),
);
const file = new URL('vectors/convergence.json', import.meta.url);
const vectors = vectorsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

test('every vector is answered as frozen: outcome, winner, target_met, each rule in its order, round bests [CONV-01 CONF-21 AUTO-16 CLI-14 CLI-15 CLI-16]', () => {
  expect(vectors).toHaveLength(160);
  const result = evaluateDocuments(vectors.map((vector) => vector.in));
  if (!result.ok || !('length' in result.answer))
    throw new Error('the vectors are an array of good documents');
  const answers = result.answer.map(({ rules, round_bests, ...rest }, index) => {
    const held = rules.map(({ rule, held: holds }) => [rule, holds]);
    return vectors[index]?.out.round_bests === undefined ? { ...rest, held } : { ...rest, held, round_bests };
  });
  // As entries: the order of the rules counts too.
  expect(answers).toEqual(vectors.map(({ out }) => ({ ...out, held: Object.entries(out.held) })));
});
