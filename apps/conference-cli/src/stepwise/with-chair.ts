/**
 * One stepwise verb: opens the folder, finishes what an interruption left, does its work, and writes what that owes (07).
 * While `run` holds the folder, the verb is refused naming the holder.
 */
import { resolve } from 'node:path';
import { ContentMissing, openChair, type Chair } from '@x/conference-core/chair';
import { systemClock } from '../clock.ts';
import type { CliContext } from '../context.ts';
import { forward } from '../control/forward.ts';
import type { ControlRequest } from '../control/control-server.ts';
import { exitCode } from '../exit-code.ts';
import { fail, type Failure, type OutputFlags } from '../output.ts';
import { createScanner } from '../secrets/scanner.ts';
import { contentMissing, keepFolder, tellSetAside } from '../store/keep-folder.ts';
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
    /** The verb answers what stands in the folder: what is owed is written only after it. Default false. */
    readonly houseAfter?: boolean;
  },
): Promise<void> {
  const folder = resolve(context.cwd, input.folder);
  const { keepVerifiedPrefix, forward: request } = input;
  if (request !== undefined && (await forward(context, flags, { folder, request }))) return;
  const opened = await openStore({
    folder,
    grant: null,
    create: false,
    lockWaitMs: flags.lockWait,
    purpose: input.purpose,
    ...(keepVerifiedPrefix === undefined ? {} : { keepVerifiedPrefix }),
  });
  if (!opened.ok) {
    const { controlSocket } = opened.failure;
    const held = request !== undefined && controlSocket !== undefined;
    // The run that holds it was still starting when it was asked first.
    if (held && (await forward(context, flags, { folder, request }))) return;
    return fail(context, flags, opened.failure);
  }
  const { store } = opened;
  try {
    tellSetAside(context, store);
    const chair = openChair({ ...store, clock: systemClock, scanner: createScanner() }, store.state);
    if (input.houseAfter !== true) {
      const before = keepFolder(chair, store);
      if (before !== null) return fail(context, flags, before);
    }
    const result = await working(() => input.work({ chair, store }));
    const after = keepFolder(chair, store);
    if (!result.ok) return fail(context, flags, result.failure);
    const trouble = after === null ? {} : { code: after.code, reason: after.message };
    const document = { ...result.document, state: chair.state.state, phase: chair.state.phase, ...trouble };
    context.out(flags.json ? `${JSON.stringify(document)}\n` : result.words);
    if (after !== null) context.err(`conference: ${after.message}`);
    context.exit(after === null ? result.exit : exitCode.blocked);
  } finally {
    await store.close();
  }
}

/** Content that the ledger names and the folder no longer holds stops the verb, it is no bug of ours (PROTO-35). */
async function working(work: () => StepResult | Promise<StepResult>): Promise<StepResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContentMissing) return { ok: false, failure: contentMissing(error) };
    throw error;
  }
}
