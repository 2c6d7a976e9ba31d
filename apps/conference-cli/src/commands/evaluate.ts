import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { jsonFlag } from '../flags.ts';
import { lazily } from '../lazily.ts';
import type { EvaluateFlags } from '../verbs/evaluate.ts';

export const evaluateCommand = buildCommand<EvaluateFlags, [string], CliContext>({
  loader: lazily(async () => (await import('../verbs/evaluate.ts')).evaluate),
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'A document, or an array of them; - reads standard input',
          placeholder: 'file',
        },
      ],
    },
  },
  docs: {
    brief: 'Convergence alone, on the rounds of a document',
    fullDescription: `Judges after the last round given. An array of documents gives an array of answers.

DOCUMENT
  { "config": { "mode": "metric", "metric": { "name": "acc", "target": ">= 95%", "direction": "maximize" },
                "order": "core", "max_rounds": 5, "max_total_iterations": 60 },
    "rounds": [ { "round": 1, "iterations_spent": 12, "elapsed_ms": 600000,
                  "lanes": [ { "lane": "A", "status": "received", "stuck_level": 0,
                               "measurements": [ { "name": "acc", "value": "91.2%", "verdict": "validated" } ] } ] } ] }
  Optional in config: plateau_window, noise_threshold, early_quality, stuck_level, quality_score, early_quality_score, time_budget_ms.

EXAMPLES
  conference evaluate rounds.json
  conference evaluate - < rounds.json | jq -r .outcome

EXIT CODE
  0  judged, whatever the outcome
  2  the document is not as above; the path is named, such as $.rounds[1].lanes[0].status`,
  },
});
