/**
 * Drives a conference in the foreground over a host: view, signals, asker, control socket, and the end in words or JSON.
 * Both `run` and `run --resume` end here.
 */
import { renderReport, type State } from '@x/conference-core';
import {
  ContentMissing,
  openChair,
  read,
  runConference,
  type Chair,
  type DelegateHost,
  type RunEnd,
  type RunPorts,
} from '@x/conference-core/chair';
import { WRITE_AUTHORITY_MISSING, type ConferenceId, type DispatchId, type Plan } from '@x/protocol';
import type { CliContext } from './context.ts';
import { openControl } from './control/control-server.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { openHost, type HostChoice } from './hosts/choose-host.ts';
import { fail, isRich, type Failure } from './output.ts';
import { createScanner } from './secrets/scanner.ts';
import { onSignals } from './signals.ts';
import { applyRecovery } from './recovery/apply.ts';
import { inspect } from './recovery/inspect.ts';
import { refusalFailure } from './refusal-failure.ts';
import { isStale, stale } from './store/keep-folder.ts';
import type { Store } from './store/open-store.ts';
import { endText } from './views/end-view.ts';
import { createRunView, type RunView } from './views/run-view.ts';
import { statusDocument } from './views/status-view.ts';
import { terminalText } from './views/terminal-text.ts';

export interface DriveFlags {
  readonly json: boolean;
  readonly ndjson: boolean;
  readonly slots: number;
  readonly color: boolean;
}

export interface DriveInput {
  readonly store: Store;
  readonly host: Extract<HostChoice, { ok: true }>;
  readonly conferenceId: ConferenceId;
  readonly plan: Plan;
  /** Null: nothing is kept. */
  readonly folder: string | null;
  /** What is recorded before the loop: plan and confirmation, or what a recovery decided. */
  readonly prepare: (
    chair: Chair,
    capability: ReturnType<ReturnType<typeof openHost>['host']['capability']>,
  ) => Promise<Failure | null>;
}

export async function drive(context: CliContext, flags: DriveFlags, input: DriveInput): Promise<void> {
  const { store, host: choice, conferenceId, plan, folder } = input;
  const replay = choice.kind === 'replay' ? choice.replay : null;
  const scanner = createScanner();
  let view: RunView | null = null;
  const note = (line: string): void => (view === null ? context.err(line) : view.note(line));
  const session = openHost(choice, {
    slots: flags.slots,
    conferenceId,
    environment: context.env,
    passEnv: plan.pass_env,
    onDiagnostics: (dispatchId, text) => void diagnostics(scanner, { dispatchId, text }).then(note),
  });
  const chair = openChair({ ...store, clock: session.clock, scanner }, store.state);
  const rich = isRich(context, flags) && !flags.json && !flags.ndjson;
  view = createRunView(context, { ndjson: flags.ndjson, rich, quiet: flags.json }, () => chair.state);
  chair.observe(view.event);
  replay?.follow(chair, { writes: store.artifacts !== null });
  const failure = await input.prepare(chair, session.host.capability());
  if (failure !== null) return fail(context, flags, failure);
  if (store.artifacts === null) {
    context.err(
      `conference: ${WRITE_AUTHORITY_MISSING}: nothing is written to disk, and an interruption loses everything (--write-to DIR gives a grant)`,
    );
  }
  const revalidate = (by: string): Promise<Failure | null> => revalidateFolder({ chair, store, folder }, by);
  const control = await openControl(chair, store, { told: note, revalidate });
  const stop = new AbortController();
  const release = onSignals(context, {
    stop: () => stop.abort(),
    cancel: (reason) => void chair.execute({ command: 'cancel', reason }),
    view,
  });
  try {
    const asker = replay?.asker ?? (await askerFor(context, rich, view));
    const signal = replay === null ? stop.signal : AbortSignal.any([stop.signal, replay.ended]);
    const host = knowingItsOwn(session.host, store.state);
    const ports = {
      host,
      asker,
      artifacts: store.artifacts,
      signal,
      driver: 'run' as const,
      // A recording brings its own comparisons.
      ...(replay === null ? { revalidate } : {}),
    };
    const end = await runToEnd(chair, ports);
    await control.close();
    view.stop();
    finish(context, flags, { chair, end, folder });
  } finally {
    release();
    await control.close();
    view.stop();
  }
}

/** `revalidate` answered while the run holds the folder: as by a verb of its own (01 Recovery). */
async function revalidateFolder(
  { chair, store, folder }: Pick<DriveInput, 'store' | 'folder'> & { readonly chair: Chair },
  decidedBy: string,
): Promise<Failure | null> {
  const option = 'revalidate' as const;
  const { pending } = chair.state;
  if (folder === null) {
    const decision_id = pending?.decision_id ?? '';
    const executed = chair.execute({ command: 'answer', decision_id, option, answered_by: decidedBy });
    return executed.status === 'done' ? null : refusalFailure(executed);
  }
  const head = chair.ports.ledger.head.digest;
  const inspection = await inspect(chair, { folder, head, now: Date.now(), tornBytes: 0 });
  return applyRecovery({ chair, store, folder }, inspection, { proposal: null, option, decidedBy });
}

/**
 * A host declares lost what it had sent itself before its root died (01 Recovery). Where a caller was the host, its children may
 * live: those dispatches stay out until they answer or their deadline.
 */
function knowingItsOwn(host: DelegateHost, { started }: State): DelegateHost {
  if (started === null || started.host === host.name) return host;
  return { ...host, attach: (listener) => host.attach(listener, []) };
}

/** Files or content that are not as the ledger says stop the conference until the user chooses (PROTO-34, PROTO-35). */
async function runToEnd(chair: Chair, ports: RunPorts): Promise<RunEnd> {
  let end: RunEnd;
  try {
    end = await runConference(chair, ports);
  } catch (error) {
    if (!(error instanceof ContentMissing)) throw error;
    end = { end: 'trouble', ...stale(chair, error.message) };
  }
  if (end.end !== 'trouble' || !isStale(end.code)) return end;
  return { end: 'trouble', ...stale(chair, end.message) };
}

async function askerFor(context: CliContext, rich: boolean, view: RunView) {
  if (!rich || !context.node.stdin.isTTY) return { name: 'nobody', ask: () => Promise.resolve(null) };
  const { terminalAsker } = await import('./askers/terminal-asker.ts');
  return terminalAsker(view);
}

/** The end of a child's stderr goes to the terminal only, and not at all when it holds a secret. */
async function diagnostics(
  scanner: ReturnType<typeof createScanner>,
  { dispatchId, text }: { readonly dispatchId: DispatchId; readonly text: string },
): Promise<string> {
  const [found] = await scanner.scan(text);
  const shown =
    found === undefined ? terminalText(text.trim()) : `[not shown: a secret rule matched (${found.rule})]`;
  return `conference: stderr of ${dispatchId}: ${shown}`;
}

interface Finish {
  readonly chair: Chair;
  readonly end: RunEnd;
  readonly folder: string | null;
}

function finish(context: CliContext, flags: DriveFlags, { chair, end, folder }: Finish): void {
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
    context.err(`conference: ${message.startsWith(code) ? message : `${code}: ${message}`}`);
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
    case 'trouble':
      return end.code.startsWith('BLOCKED_') ? exitCode.blocked : exitCode.failed;
    case 'interrupted':
      return exitCode.failed;
  }
}
