/** `conference submit DIR ID [FILE|-]`: hands in what a child sent, one packet or a batch of lines (07). */
import { findRow } from '@x/conference-core';
import type { Chair, Executed, Incoming } from '@x/conference-core/chair';
import { readPacket } from '@x/conference-core/packets';
import { digestOf } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { fail, usage, type Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { withChair, type StepFlags, type StepResult, type StepSession } from '../stepwise/with-chair.ts';
import { readBatch, readOne } from './submitted-input.ts';
import { terminalText } from '../views/terminal-text.ts';

export interface SubmitFlags extends StepFlags {
  readonly cost?: string;
  /** The file holds lines `{ dispatch_id, packet, cost? }`. */
  readonly batch: boolean;
}

interface Submitted {
  readonly dispatch_id: string;
  readonly result: 'received' | 'failed' | 'duplicate' | 'stale' | 'conflict';
  readonly digest: string;
  readonly code?: string;
  readonly reason?: string;
}

export async function submit(
  context: CliContext,
  flags: SubmitFlags,
  folder: string,
  id?: string,
  file = '-',
): Promise<void> {
  const read = flags.batch
    ? await readBatch(context, id ?? '-')
    : await readOne(context, { id, file, cost: flags.cost });
  if (!read.ok) return fail(context, flags, read.failure);
  await withChair(context, flags, {
    folder,
    purpose: 'submit',
    work: (session) => work(session, read.incoming, flags.batch),
  });
}

async function work(
  { chair }: StepSession,
  incoming: readonly Incoming[],
  batch: boolean,
): Promise<StepResult> {
  for (const one of incoming) {
    const slip = slipOf(chair, one);
    if (slip !== null) return { ok: false, failure: usage('OTHER_DISPATCH', slip) };
  }
  const executed = await chair.submit(incoming);
  const results: Submitted[] = [];
  let failure: Failure | null = null;
  for (const [index, outcome] of executed.entries()) {
    const one = incoming[index];
    if (one === undefined) continue;
    if (outcome.status === 'done') results.push(resultOf(one, outcome));
    else failure ??= refusalFailure(outcome);
  }
  if (failure !== null) return notAllRecorded(failure, results, incoming);
  const exit = results.reduce<ExitCode>(
    (worst, { result }) => Math.max(worst, exitOf(result)) as ExitCode,
    exitCode.done,
  );
  const [only] = results;
  return {
    ok: true,
    document: batch || only === undefined ? { results } : only,
    words: results.map(lineOf).join(''),
    exit,
  };
}

/** Some content could not be stored: what was recorded of a batch is said, and what was not. */
function notAllRecorded(
  failure: Failure,
  results: readonly Submitted[],
  incoming: readonly Incoming[],
): StepResult {
  if (results.length === 0) return { ok: false, failure };
  const { code, message } = failure;
  const recorded = new Set(results.map(({ dispatch_id }) => dispatch_id));
  const not_recorded = incoming.flatMap(({ dispatch_id }) =>
    recorded.has(dispatch_id) ? [] : [dispatch_id],
  );
  return {
    ok: true,
    document: { results, error: { code, message }, not_recorded },
    words: `${results.map(lineOf).join('')}not recorded: ${not_recorded.join(' ')}\n${code}: ${terminalText(message)}\n`,
    exit: exitCode.failed,
  };
}

function lineOf({ dispatch_id, result, code, reason }: Submitted): string {
  const why = code === undefined ? '' : `  ${code}: ${terminalText(reason ?? '')}`;
  return `${terminalText(dispatch_id)}  ${result}${why}\n`;
}

/** A packet that names another issued dispatch is the caller's slip: nothing is recorded (settled, 07). */
function slipOf(chair: Chair, { dispatch_id, bytes }: Incoming): string | null {
  const { state } = chair;
  const row = findRow(state, dispatch_id);
  if (row === null || row.state !== 'dispatched') return null;
  // More than its charter allows is oversized, whatever it says: it is not read at all.
  if (bytes.length > chair.charterOf(row).limits.packet_bytes_max) return null;
  const read = readPacket(bytes);
  const named = read.ok ? read.value['dispatch_id'] : undefined;
  if (typeof named !== 'string' || named === dispatch_id || findRow(state, named) === null) return null;
  return `the packet is that of dispatch ${named}, not of ${dispatch_id}: submit it under its own id; nothing was recorded`;
}

function exitOf(result: Submitted['result']): ExitCode {
  if (result === 'conflict') return exitCode.blocked;
  return result === 'failed' || result === 'stale' ? exitCode.packetRefused : exitCode.done;
}

function resultOf(
  { dispatch_id, bytes }: Incoming,
  executed: Extract<Executed, { status: 'done' }>,
): Submitted {
  const digest = digestOf(bytes);
  for (const event of executed.events) {
    switch (event.event) {
      case 'dispatch.received':
        if (event.payload.dispatch_id === dispatch_id) return { dispatch_id, result: 'received', digest };
        break;
      case 'dispatch.failed': {
        const { code, reason } = event.payload;
        if (event.payload.dispatch_id === dispatch_id)
          return { dispatch_id, result: 'failed', digest, code, reason };
        break;
      }
      case 'dispatch.duplicate':
        return { dispatch_id, result: 'duplicate', digest };
      case 'dispatch.stale':
        return {
          dispatch_id,
          result: 'stale',
          digest,
          code: event.payload.reason,
          reason: 'left out of the evidence',
        };
      case 'conference.blocked':
        if (event.payload.code === 'BLOCKED_DISPATCH_REPLAY_CONFLICT') {
          const { code, reason } = event.payload;
          return { dispatch_id, result: 'conflict', digest, code, reason };
        }
        break;
      default:
        break;
    }
  }
  throw new Error(`nothing was recorded for dispatch ${dispatch_id}`);
}
