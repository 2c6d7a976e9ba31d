/** `conference plan`: the start gate. It changes nothing. */
import { conditionsOf } from '@x/conference-core';
import type { CliContext } from '../context.ts';
import { tellIncomplete } from '../incomplete-plan.ts';
import { loadPlan } from '../load-plan.ts';
import { fail, print } from '../output.ts';
import { conditionsText } from '../views/gate-view.ts';

export interface PlanFlags {
  readonly json: boolean;
  readonly passEnv?: readonly string[];
}

export async function plan(context: CliContext, flags: PlanFlags, file = 'conference.md'): Promise<void> {
  const loaded = await loadPlan(file, context.cwd, { passEnv: flags.passEnv ?? [], values: {} });
  if (!loaded.ok) return fail(context, flags, loaded.failure);
  const { gate } = loaded;
  if (!gate.complete) return tellIncomplete(context, flags, gate.findings);
  const { plan: complete, plan_digest, total_iterations } = gate;
  const conditions = conditionsOf(complete);
  print(context, flags, {
    document: { complete: true, plan_digest, total_iterations, conditions, plan: complete },
    words: () =>
      `${conditionsText(complete, plan_digest)}\nTo run it: conference run ${file} --host exec:<command> --confirm ${plan_digest}\n`,
  });
}
