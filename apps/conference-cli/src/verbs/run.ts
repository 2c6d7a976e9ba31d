/**
 * `conference run [FILE]`: the whole job in the foreground (07). When it ends, its children are gone.
 *
 * Nothing is written before the plan is confirmed: a run that is not confirmed leaves the disk as it was.
 */
import { dirname, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { EVENTS_JSONL, renderReport, type State } from '@x/conference-core';
import { openChair, read, runConference, type Chair, type RunEnd } from '@x/conference-core/chair';
import { WRITE_AUTHORITY_MISSING, type DispatchId, type Grant, type Plan } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { drawConferenceId } from '../draw-id.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { chooseGrant, type GrantFlags } from '../grants/choose-grant.ts';
import { chooseHost, openHost, type HostChoice } from '../hosts/choose-host.ts';
import { loadPlan, type LoadedPlan } from '../load-plan.ts';
import { fail, isRich, print, usage, type Failure } from '../output.ts';
import { recordPlan } from '../record-plan.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { onSignals } from '../signals.ts';
import { memoryStore, openStore, type Store } from '../store/open-store.ts';
import { createScanner } from '../secrets/scanner.ts';
import { conditionsText, findingsText } from '../views/gate-view.ts';
import { createRunView, type RunView } from '../views/run-view.ts';
import { statusDocument } from '../views/status-view.ts';
import { endText } from '../views/end-view.ts';
import { terminalText } from '../views/terminal-text.ts';

export interface RunFlags extends GrantFlags {
  readonly json: boolean;
  readonly ndjson: boolean;
  readonly host: string;
  readonly slots: number;
  readonly confirm?: string;
  readonly passEnv?: readonly string[];
  readonly lockWait: number;
  readonly color: boolean;
}

export async function run(context: CliContext, flags: RunFlags, file = 'conference.md'): Promise<void> {
  const loaded = await loadPlan(file, context.cwd, { passEnv: flags.passEnv ?? [], values: {} });
  if (!loaded.ok) return fail(context, flags, loaded.failure);
  const { gate } = loaded;
  if (!gate.complete) {
    print(context, flags, {
      document: { complete: false, findings: gate.findings },
      words: () => findingsText(gate.findings),
    });
    return context.exit(exitCode.asked);
  }
  const host = await chooseHost(flags.host, context.cwd);
  if (!host.ok) return fail(context, flags, host.failure);
  const grant = chooseGrant(flags, context.cwd);
  if (!grant.ok) return fail(context, flags, grant.failure);
  const folder =
    grant.grant === null ? folderOfRun(loaded) : resolve(context.cwd, flags.writeTo ?? grant.grant.root);
  const unconfirmed = await confirmed(context, flags, { plan: gate.plan, digest: gate.plan_digest, file });
  if (unconfirmed !== null) return fail(context, flags, unconfirmed);
  const opened = await open(folder, grant.grant, flags.lockWait);
  if (!opened.ok) return fail(context, flags, opened.failure);
  try {
    await drive(context, flags, {
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

interface Drive {
  readonly store: Store;
  readonly loaded: LoadedPlan;
  readonly plan: Plan;
  readonly digest: string;
  readonly grant: Grant | null;
  readonly host: Extract<HostChoice, { ok: true }>;
  readonly folder: string | null;
}

async function drive(context: CliContext, flags: RunFlags, input: Drive): Promise<void> {
  const { store, host: choice, loaded, plan, digest } = input;
  const { planned } = store.state;
  if (planned !== null && (planned.plan_digest !== digest || store.state.started !== null)) {
    const message = `${input.folder ?? ''} holds conference ${planned.conference_id} already, in state ${store.state.state}: take another folder, or look at it with conference status`;
    return fail(context, flags, { code: 'CONFERENCE_EXISTS', message, exit: exitCode.usage });
  }
  const replay = choice.kind === 'replay' ? choice.replay : null;
  const scanner = createScanner();
  const conferenceId =
    planned?.conference_id ?? replay?.conferenceId(parseKnown(plan, input)) ?? drawConferenceId(Date.now());
  const session = openHost(choice, {
    slots: flags.slots,
    conferenceId,
    environment: context.env,
    passEnv: plan.pass_env,
    onDiagnostics: (dispatchId, text) => void tellDiagnostics(context, scanner, { dispatchId, text }),
  });
  const chair = openChair({ ...store, clock: session.clock, scanner }, store.state);
  const view = createRunView(
    context,
    { ndjson: flags.ndjson, rich: isRich(context, flags) && !flags.json && !flags.ndjson, quiet: flags.json },
    () => chair.state,
  );
  chair.observe(view.event);
  if (store.setAside !== null)
    context.err(
      `conference: ${store.setAside.bytes} torn bytes at the end of the ledger were set aside in ${store.setAside.path}`,
    );
  const failure =
    recordPlan(
      chair,
      { loaded, plan, grant: input.grant, conferenceId, replay: replay !== null },
      store.artifacts,
    ) ?? (await confirmInLedger(chair, digest, session.host.capability()));
  if (failure !== null) return fail(context, flags, failure);
  if (store.artifacts === null) {
    context.err(
      `conference: ${WRITE_AUTHORITY_MISSING}: nothing is written to disk, and an interruption loses everything (--write-to DIR gives a grant)`,
    );
  }
  const stop = new AbortController();
  const release = onSignals(context, {
    stop: () => stop.abort(),
    cancel: (reason) => void chair.execute({ command: 'cancel', reason }),
    view,
  });
  const asker = replay?.asker ?? (await askerFor(context, flags, view));
  const signal = replay === null ? stop.signal : AbortSignal.any([stop.signal, replay.ended]);
  const end = await runConference(chair, {
    host: session.host,
    asker,
    artifacts: store.artifacts,
    signal,
    driver: 'run',
  });
  release();
  view.stop();
  finish(context, flags, { chair, end, folder: input.folder, plan });
}

function parseKnown(_plan: Plan, { loaded }: Drive) {
  if (!loaded.gate.complete) throw new Error('the gate was passed');
  return loaded.gate.plan_digest;
}

async function confirmInLedger(
  chair: Chair,
  plan_digest: string,
  capability: ReturnType<import('@x/conference-core/chair').DelegateHost['capability']>,
): Promise<Failure | null> {
  const executed = chair.execute({
    command: 'confirm',
    plan_digest,
    capability: await capability,
    confirmed_by: 'conference run',
  });
  return executed.status === 'done' ? null : refusalFailure(executed);
}

async function askerFor(context: CliContext, flags: RunFlags, view: RunView) {
  const interactive = context.node.stdin.isTTY && isRich(context, flags) && !flags.json && !flags.ndjson;
  if (!interactive) return { name: 'nobody', ask: () => Promise.resolve(null) };
  const { terminalAsker } = await import('../askers/terminal-asker.ts');
  return terminalAsker(view);
}

/** The end of a child's stderr goes to the terminal only, and not at all when it holds a secret. */
async function tellDiagnostics(
  context: CliContext,
  scanner: ReturnType<typeof createScanner>,
  { dispatchId, text }: { readonly dispatchId: DispatchId; readonly text: string },
): Promise<void> {
  const found = await scanner.scan(text);
  const shown =
    found.length === 0
      ? terminalText(text.trim())
      : `[not shown: a secret rule matched (${found[0]?.rule ?? ''})]`;
  context.err(`conference: stderr of ${dispatchId}: ${shown}`);
}

interface Finish {
  readonly chair: Chair;
  readonly end: RunEnd;
  readonly folder: string | null;
  readonly plan: Plan;
}

function finish(context: CliContext, flags: RunFlags, { chair, end, folder }: Finish): void {
  const { state, ports } = chair;
  const report =
    folder === null && state.closing.receipt !== null
      ? read(renderReport(state, ports.ledger.head), ports.objects)
      : null;
  const head = { seq: ports.ledger.head.seq, digest: ports.ledger.head.digest };
  const status = statusDocument({ state, head, running: false, holder: null, now: Date.now() });
  const document = {
    ...status,
    end: end.end,
    folder,
    ...(report === null ? {} : { report, code: WRITE_AUTHORITY_MISSING }),
  };
  if (flags.json || flags.ndjson) context.out(`${JSON.stringify(document)}\n`);
  else context.out(report ?? endText(state, end, folder));
  if (end.end === 'trouble' || end.end === 'refused') {
    const { code, message } = end.end === 'trouble' ? end : end.refusal;
    context.err(`conference: ${code}: ${message}`);
  }
  context.exit(exitOf(state, end));
}

function exitOf(state: State, end: RunEnd): ExitCode {
  switch (end.end) {
    case 'done':
      if (state.state === 'CANCELLED') return exitCode.cancelled;
      return state.state === 'BUDGET_STOP' ? exitCode.budget : exitCode.done;
    case 'asked':
      return state.state === 'BLOCKED' ? exitCode.blocked : exitCode.asked;
    case 'unconfirmed':
      return exitCode.asked;
    case 'refused':
      return exitCode.usage;
    default:
      return exitCode.failed;
  }
}
