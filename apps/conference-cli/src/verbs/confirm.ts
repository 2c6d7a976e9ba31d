/** `conference confirm DIR`: records that a person confirmed the plan by its digest, and the grant (07). */
import { join, resolve } from 'node:path';
import { CONFERENCE_MD } from '@x/conference-core';
import { openChair } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { systemClock } from '../clock.ts';
import { drawConferenceId } from '../draw-id.ts';
import { exitCode } from '../exit-code.ts';
import { chooseGrant, type GrantFlags } from '../grants/choose-grant.ts';
import { tellIncomplete } from '../incomplete-plan.ts';
import { loadPlan } from '../load-plan.ts';
import { fail, print } from '../output.ts';
import { recordPlan } from '../record-plan.ts';
import { createScanner } from '../secrets/scanner.ts';
import { openStore } from '../store/open-store.ts';
import { refusalFailure } from '../refusal-failure.ts';

export interface ConfirmFlags extends GrantFlags {
  readonly json: boolean;
  readonly planDigest: string;
  readonly lockWait: number;
  readonly passEnv?: readonly string[];
}

export async function confirm(context: CliContext, flags: ConfirmFlags, folder = '.'): Promise<void> {
  const path = resolve(context.cwd, folder);
  const loaded = await loadPlan(join(path, CONFERENCE_MD), context.cwd, {
    passEnv: flags.passEnv ?? [],
    values: {},
  });
  if (!loaded.ok) return fail(context, flags, loaded.failure);
  const { gate } = loaded;
  if (!gate.complete) return tellIncomplete(context, flags, gate.findings);
  const grant = chooseGrant(flags, context.cwd);
  if (!grant.ok) return fail(context, flags, grant.failure);
  if (grant.grant === null) {
    const message =
      'the stepwise verbs keep their state in the ledger, so a confirmation needs a grant: --write-to DIR or --grant FILE';
    return fail(context, flags, { code: 'GRANT_REQUIRED', message, exit: exitCode.asked });
  }
  if (flags.planDigest !== gate.plan_digest) {
    const message = `PLAN_DIGEST_MISMATCH: the plan has the digest ${gate.plan_digest}, not ${flags.planDigest}: read it again with conference plan`;
    return fail(context, flags, { code: 'PLAN_DIGEST_MISMATCH', message, exit: exitCode.usage });
  }
  const opened = await openStore({
    folder: path,
    grant: grant.grant,
    create: true,
    lockWaitMs: flags.lockWait,
    purpose: 'confirm',
  });
  if (!opened.ok) return fail(context, flags, opened.failure);
  const { store } = opened;
  try {
    const chair = openChair({ ...store, clock: systemClock, scanner: createScanner() }, store.state);
    const planned = recordPlan(chair, {
      loaded,
      plan: gate.plan,
      grant: grant.grant,
      conferenceId: drawConferenceId(systemClock.now()),
      replay: false,
    });
    if (planned !== null) return fail(context, flags, planned);
    const granted = chair.execute({ command: 'grant', grant: grant.grant });
    if (granted.status !== 'done') return fail(context, flags, refusalFailure(granted));
    const executed = chair.execute({
      command: 'confirm',
      plan_digest: flags.planDigest,
      capability: { delegate_task: true, slots: 1, reports_cost: true },
      confirmed_by: 'conference confirm',
    });
    if (executed.status !== 'done') return fail(context, flags, refusalFailure(executed));
    const { state } = chair;
    print(context, flags, {
      document: {
        conference_id: state.planned?.conference_id,
        state: state.state,
        plan_digest: gate.plan_digest,
        grant: state.grant,
      },
      words: () => `Confirmed. Conference ${state.planned?.conference_id ?? ''} is ${state.state}.\n`,
    });
  } finally {
    await store.close();
  }
}
