/**
 * The shape of an `evaluate` document (07 evaluate). Strict: an unknown field is a mistyped one, and a mistyped
 * `plateau_window` or `measurements` that is silently ignored would change the answer.
 *
 * Each schema's error text is what the field accepts; the finding is made from it in `evaluate-document.ts`.
 */
import * as z from 'zod';

import { laneStatuses, measurementVerdicts } from './input.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

function whole(min: number, max: number = Number.MAX_SAFE_INTEGER): z.ZodInt {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function record<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const fields = Object.keys(shape).join(', ');
  const error: z.core.$ZodErrorMap = ({ code }) =>
    code === 'unrecognized_keys' ? `no such field; known here: ${fields}` : `an object with ${fields}`;
  return z.strictObject(shape, { error });
}

const flag = z.boolean({ error: 'true or false' });
const name = z
  .string({ error: 'a string that is not empty' })
  .min(1, { error: 'a string that is not empty' });

const measurement = record({
  name: name.optional(),
  value: z.string({ error: 'a string, such as "91.2%" or "12.5 ms"' }),
  verdict: z.enum(measurementVerdicts, { error: `one of ${quoted(measurementVerdicts)}, or null` }).nullish(),
});

const lane = record({
  lane: name,
  status: z.enum(laneStatuses, { error: `one of ${quoted(laneStatuses)}` }),
  stuck_level: whole(0, 3).nullish(),
  score: whole(1, 10).nullish(),
  measurements: z.array(measurement, { error: 'an array of measurements' }).optional(),
});

const someLanes = 'an array of at least one lane';
const round = record({
  round: whole(1),
  iterations_spent: whole(0),
  elapsed_ms: whole(0),
  lanes: z.array(lane, { error: someLanes }).min(1, { error: someLanes }),
});

const config = record({
  mode: z.enum(['metric', 'qualitative'], { error: 'one of "metric", "qualitative"' }),
  metric: record({
    name,
    target: z.string({ error: 'a string, such as ">= 95%"' }),
    direction: z.enum(['maximize', 'minimize'], { error: 'one of "maximize", "minimize"' }),
  }).optional(),
  order: z.enum(['core', 'guide'], { error: 'one of "core", "guide"' }).optional(),
  plateau_window: whole(1).optional(),
  // A JSON number has one meaning here: an absolute threshold.
  noise_threshold: z.union([z.string(), z.number()], { error: 'a string such as "0.5" or "1%"' }).optional(),
  early_quality: flag.optional(),
  stuck_level: whole(1, 3).optional(),
  quality_score: whole(1, 10).optional(),
  early_quality_score: whole(1, 10).optional(),
  max_rounds: whole(1),
  max_total_iterations: whole(1),
  time_budget_ms: whole(1).optional(),
});

const someRounds = 'an array of at least one round';
export const evaluateDocumentSchema = record({
  config,
  cancelled: flag.optional(),
  rounds: z.array(round, { error: someRounds }).min(1, { error: someRounds }),
});

/** An `evaluate` document that has its shape; what the fields say together is not judged yet. */
export type EvaluateDocument = z.infer<typeof evaluateDocumentSchema>;
