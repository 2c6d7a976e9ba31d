/**
 * `conference run [FILE]`: the whole job in the foreground (07). When it ends, its children are gone.
 *
 * Nothing is written before the plan is confirmed: a run that is not confirmed leaves the disk as it was.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EVENTS_JSONL } from '@x/conference-core';
import type { Chair } from '@x/conference-core/chair';
import type { Capability, Digest, Grant, Plan } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { drawConferenceId } from '../draw-id.ts';
import { drive } from '../drive.ts';
import { exitCode } from '../exit-code.ts';
import { chooseGrant, type GrantFlags } from '../grants/choose-grant.ts';
import { chooseHost, type HostChoice } from '../hosts/choose-host.ts';
import { tellIncomplete } from '../incomplete-plan.ts';
import { loadPlan, type LoadedPlan } from '../load-plan.ts';
import { fail, usage, type Failure } from '../output.ts';
import { recordPlan } from '../record-plan.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { memoryStore, openStore, type Store } from '../store/open-store.ts';
import { conditionsText } from '../views/gate-view.ts';

export interface RunFlags extends GrantFlags {
  readonly json: boolean;
  readonly ndjson: boolean;
  readonly host: string;
  readonly slots: number;
  readonly confirm?: string;
  /** A conference folder to go on with. */
  readonly resume?: string;
  /** Digest of the recovery receipt that is accepted. */
  readonly accept?: string;
  /** ISO time that this receipt was made for; default the ledger's last event. */
  readonly at?: string;
  readonly passEnv?: readonly string[];
  readonly lockWait: number;
  readonly color: boolean;
}

export async function run(context: CliContext, flags: RunFlags, file = 'conference.md'): Promise<void> {
  const misplaced = misplacedFlag(flags);
  if (misplaced !== null) return fail(context, flags, misplaced);
  if (flags.resume !== undefined) {
    const { resume } = await import('./resume.ts');
    return resume(context, flags, flags.resume);
  }
  const loaded = await loadPlan(file, context.cwd, { passEnv: flags.passEnv ?? [], values: {} });
  if (!loaded.ok) return fail(context, flags, loaded.failure);
  const { gate } = loaded;
  if (!gate.complete) return tellIncomplete(context, flags, gate.findings);
  const host = await chooseHost(flags.host, context.cwd);
  if (!host.ok) return fail(context, flags, host.failure);
  const unconfirmed = await confirmed(context, flags, { plan: gate.plan, digest: gate.plan_digest, file });
  if (unconfirmed !== null) return fail(context, flags, unconfirmed);
  // Only now: choosing the grant makes its folder.
  const grant = chooseGrant(flags, context.cwd);
  if (!grant.ok) return fail(context, flags, grant.failure);
  const folder =
    grant.grant === null ? folderOfRun(loaded) : resolve(context.cwd, flags.writeTo ?? grant.grant.root);
  const opened = await open(folder, grant.grant, flags.lockWait);
  if (!opened.ok) return fail(context, flags, opened.failure);
  try {
    await start(context, flags, {
      store: opened.store,
      loaded,
      plan: gate.plan,
      digest: gate.plan_digest,
      grant: grant.grant,
      host,
      folder,
    });
  } finally {
    await opened.store.close();
  }
}

/** A flag that would decide nothing here: whoever gave it meant another command. */
function misplacedFlag({ resume, accept, at, confirm }: RunFlags): Failure | null {
  const told = (flag: string, next: string): Failure =>
    usage('FLAG_MISPLACED', `${flag} does nothing here: ${next}`);
  if (resume === undefined && accept !== undefined)
    return told('--accept', 'name the interrupted conference by --resume DIR');
  if (resume === undefined && at !== undefined)
    return told('--at', 'it belongs to --resume DIR --accept DIGEST');
  if (resume !== undefined && confirm !== undefined)
    return told(
      '--confirm',
      'with --resume the plan is confirmed already, and --accept takes the recovery receipt',
    );
  return null;
}

/** A folder that `confirm` prepared holds its own grant; any other run without one is in memory. */
function folderOfRun({ file }: LoadedPlan): string | null {
  const folder = dirname(file);
  return existsSync(join(folder, EVENTS_JSONL)) ? folder : null;
}

async function open(folder: string | null, grant: Grant | null, lockWaitMs: number) {
  if (folder === null) return { ok: true as const, store: memoryStore() };
  return openStore({ folder, grant, create: true, lockWaitMs, purpose: 'run' });
}

/** Null when a person confirmed this very plan: on the command line, or here at the terminal. */
async function confirmed(
  context: CliContext,
  flags: RunFlags,
  asked: { readonly plan: Plan; readonly digest: string; readonly file: string },
): Promise<Failure | null> {
  if (flags.confirm !== undefined) {
    if (flags.confirm === asked.digest) return null;
    return usage(
      'PLAN_DIGEST_MISMATCH',
      `PLAN_DIGEST_MISMATCH: the plan has the digest ${asked.digest}, not ${flags.confirm}: read it again with conference plan ${asked.file}`,
    );
  }
  context.err(conditionsText(asked.plan, asked.digest));
  if (context.node.stdin.isTTY && !flags.json && !flags.ndjson) {
    const { askConfirmation } = await import('../askers/terminal-asker.ts');
    if (await askConfirmation(asked.digest)) return null;
  }
  return {
    code: 'CONFIRMATION_NEEDED',
    message: `nothing was started: confirm the plan with --confirm ${asked.digest}`,
    exit: exitCode.asked,
  };
}

interface Start {
  readonly store: Store;
  readonly loaded: LoadedPlan;
  readonly plan: Plan;
  readonly digest: Digest;
  readonly grant: Grant | null;
  readonly host: Extract<HostChoice, { ok: true }>;
  readonly folder: string | null;
}

async function start(context: CliContext, flags: RunFlags, input: Start): Promise<void> {
  const { store, host, loaded, plan, digest, grant, folder } = input;
  const { planned, started, state } = store.state;
  if (planned !== null && (planned.plan_digest !== digest || started !== null)) {
    const message = `${folder ?? ''} holds conference ${planned.conference_id} already, in state ${state}: go on with it by conference run --resume, or take another folder`;
    return fail(context, flags, { code: 'CONFERENCE_EXISTS', message, exit: exitCode.usage });
  }
  const replay = host.kind === 'replay' ? host.replay : null;
  const conferenceId = planned?.conference_id ?? replay?.conferenceId(digest) ?? drawConferenceId(Date.now());
  await drive(context, flags, {
    store,
    host,
    conferenceId,
    plan,
    folder,
    prepare: async (chair, capability) => {
      const given = { loaded, plan, grant, conferenceId, replay: replay !== null };
      const failure = recordPlan(chair, given, store.artifacts);
      return failure ?? confirmInLedger(chair, digest, await capability);
    },
  });
}

function confirmInLedger(chair: Chair, plan_digest: Digest, capability: Capability): Failure | null {
  const executed = chair.execute({
    command: 'confirm',
    plan_digest,
    capability,
    confirmed_by: 'conference run',
  });
  return executed.status === 'done' ? null : refusalFailure(executed);
}
