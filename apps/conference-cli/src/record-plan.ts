/** Content first, then the events: what stands in the folder before anything is confirmed. */
import type { Chair } from '@x/conference-core/chair';
import { CONFERENCE_MD } from '@x/conference-core';
import type { ConferenceId, Grant, Plan } from '@x/protocol';
import type { Store } from './store/open-store.ts';
import { exitCode } from './exit-code.ts';
import type { LoadedPlan } from './load-plan.ts';
import type { Failure } from './output.ts';
import { refusalFailure } from './refusal-failure.ts';

export interface RecordPlanInput {
  readonly loaded: LoadedPlan;
  readonly plan: Plan;
  readonly grant: Grant | null;
  /** The one id that is drawn; a replay derives it. */
  readonly conferenceId: ConferenceId;
  readonly replay: boolean;
}

/** Records grant and plan in a new ledger. Null: done, or recorded before with the same plan. */
export function recordPlan(
  chair: Chair,
  input: RecordPlanInput,
  artifacts?: Store['artifacts'],
): Failure | null {
  const { loaded, plan, grant, replay } = input;
  const encoder = new TextEncoder();
  for (const text of loaded.contents) {
    const stored = chair.ports.objects.put(encoder.encode(text));
    if (stored.status === 'refused') return { ...stored, exit: exitCode.failed };
  }
  if (artifacts !== undefined && artifacts !== null) {
    const written = artifacts.write(CONFERENCE_MD, loaded.bytes, null);
    if (written.status === 'refused') return { ...written, exit: exitCode.failed };
  }
  if (chair.state.planned !== null) return null;
  const commands = [
    ...(grant === null ? [] : [{ command: 'grant' as const, grant }]),
    {
      command: 'plan' as const,
      conference_id: input.conferenceId,
      plan,
      source_digest: loaded.source_digest,
      written_roots_digest: loaded.written_roots_digest,
      replay,
    },
  ];
  for (const executed of chair.executeAll(commands)) {
    if (executed.status !== 'done') return refusalFailure(executed);
  }
  return null;
}
