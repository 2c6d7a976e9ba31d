/**
 * One stepwise verb: opens the folder, finishes what an interruption left, does its work, and writes what that owes (07).
 * While `run` holds the folder, the verb is refused naming the holder.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { keepHouse, openChair, type Chair } from '@x/conference-core/chair';
import { systemClock } from '../clock.ts';
import type { CliContext } from '../context.ts';
import { askHolder } from '../control/control-client.ts';
import type { ControlRequest } from '../control/control-server.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { fail, print, type Failure, type OutputFlags } from '../output.ts';
import { inspectLock } from '@x/ledger/node';
import { createScanner } from '../secrets/scanner.ts';
import { openStore, type Store } from '../store/open-store.ts';

export interface StepFlags extends OutputFlags {
  readonly lockWait: number;
}

export interface StepSession {
  readonly chair: Chair;
  readonly store: Store;
}

/** What a verb did: a document and words, or why it could not. */
export type StepResult =
  | {
      readonly ok: true;
      readonly document: object;
      readonly words: string;
      readonly exit: (typeof exitCode)[keyof typeof exitCode];
    }
  | { readonly ok: false; readonly failure: Failure };

export async function withChair(
  context: CliContext,
  flags: StepFlags,
  input: {
    readonly folder: string;
    readonly purpose: string;
    readonly work: (session: StepSession) => StepResult | Promise<StepResult>;
    /** Carried out by the process that holds the ledger, if one does and takes commands. */
    readonly forward?: ControlRequest;
    readonly keepVerifiedPrefix?: { readonly line: number };
  },
): Promise<void> {
  const folder = resolve(context.cwd, input.folder);
  if (input.forward !== undefined && (await forwarded(context, flags, { folder, request: input.forward })))
    return;
  const { keepVerifiedPrefix } = input;
  const opened = await openStore({
    folder,
    grant: null,
    create: false,
    lockWaitMs: flags.lockWait,
    purpose: input.purpose,
    ...(keepVerifiedPrefix === undefined ? {} : { keepVerifiedPrefix }),
  });
  if (!opened.ok) return fail(context, flags, opened.failure);
  const { store } = opened;
  try {
    if (store.setAside !== null) {
      context.err(
        `conference: ${store.setAside.bytes} torn bytes at the end of the ledger were set aside in ${store.setAside.path}`,
      );
    }
    const chair = openChair({ ...store, clock: systemClock, scanner: createScanner() }, store.state);
    const before = keepHouse(chair, store.artifacts);
    if (before !== null) return fail(context, flags, { ...before, exit: exitCode.blocked });
    const result = await input.work({ chair, store });
    if (!result.ok) return fail(context, flags, result.failure);
    const after = keepHouse(chair, store.artifacts);
    const trouble = after === null ? {} : { code: after.code, reason: after.message };
    const document = { ...result.document, state: chair.state.state, phase: chair.state.phase, ...trouble };
    context.out(flags.json ? `${JSON.stringify(document)}\n` : result.words);
    if (after !== null) context.err(`conference: ${after.code}: ${after.message}`);
    context.exit(after === null ? result.exit : exitCode.blocked);
  } finally {
    await store.close();
  }
}

/** Whether the process that holds the folder did it. */
async function forwarded(
  context: CliContext,
  flags: StepFlags,
  { folder, request }: { readonly folder: string; readonly request: ControlRequest },
): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const lock = await inspectLock(folder);
  const path = lock.status === 'held' ? lock.holder?.control_socket : undefined;
  if (path === undefined) return false;
  const answer = await askHolder(path, request);
  if (answer === null) return false;
  if (answer.ok) {
    print(context, flags, {
      document: answer.document,
      words: () => 'Done by the process that runs the conference.\n',
    });
    return true;
  }
  const { code, message, exit } = answer;
  // The exit code is one of ours: the holder is this same program.
  fail(context, flags, { code, message, exit: exit as ExitCode });
  return true;
}
