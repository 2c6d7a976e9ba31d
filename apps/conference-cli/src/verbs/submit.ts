/** `conference submit DIR ID [FILE|-]`: hands in what a child sent, one packet or a batch of lines (07). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findRow, type State } from '@x/conference-core';
import type { Executed, Incoming } from '@x/conference-core/chair';
import { readPacket } from '@x/conference-core/packets';
import { digestOf } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { usage, type Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { withChair, type StepFlags, type StepResult, type StepSession } from '../stepwise/with-chair.ts';
import { terminalText } from '../views/terminal-text.ts';

export interface SubmitFlags extends StepFlags {
  readonly cost?: string;
  /** The file holds lines `{ dispatch_id, packet, cost? }`. */
  readonly batch: boolean;
}

/** Bytes of one packet that are read; each charter allows far less. */
export const SUBMIT_BYTES_MAX = 64 * 1024 * 1024;

interface Submitted {
  readonly dispatch_id: string;
  readonly result: 'received' | 'failed' | 'duplicate' | 'stale' | 'conflict';
  readonly digest: string;
  readonly code?: string;
  readonly reason?: string;
}

export function submit(
  context: CliContext,
  flags: SubmitFlags,
  folder: string,
  id?: string,
  file = '-',
): Promise<void> {
  return withChair(context, flags, {
    folder,
    purpose: 'submit',
    work: (session) => {
      const read = flags.batch
        ? readBatch(context, id ?? '-')
        : readOne(context, { id, file, cost: flags.cost });
      return read.ok ? work(session, read.incoming, flags.batch) : { ok: false, failure: read.failure };
    },
  });
}

type Reading =
  | { readonly ok: true; readonly incoming: readonly Incoming[] }
  | { readonly ok: false; readonly failure: Failure };

function readOne(
  context: CliContext,
  given: { id: string | undefined; file: string; cost: string | undefined },
): Reading {
  if (given.id === undefined)
    return refused('ID_MISSING', 'submit needs the dispatch id: conference submit DIR ID [FILE]');
  const bytes = readBytes(context, given.file);
  if (typeof bytes === 'string') return refused('FILE_UNREADABLE', bytes);
  const cost = given.cost === undefined ? {} : { cost: given.cost };
  return { ok: true, incoming: [{ dispatch_id: given.id, bytes, ...cost }] };
}

function readBatch(context: CliContext, file: string): Reading {
  const bytes = readBytes(context, file);
  if (typeof bytes === 'string') return refused('FILE_UNREADABLE', bytes);
  const incoming: Incoming[] = [];
  const encoder = new TextEncoder();
  for (const [index, line] of new TextDecoder().decode(bytes).split('\n').entries()) {
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return refused(
        'BATCH_INVALID',
        `line ${index + 1} is not JSON; accepted is { "dispatch_id": …, "packet": … }`,
      );
    }
    if (
      typeof value !== 'object' ||
      value === null ||
      !('dispatch_id' in value) ||
      !('packet' in value) ||
      typeof value.dispatch_id !== 'string'
    ) {
      return refused('BATCH_INVALID', `line ${index + 1}: accepted is { "dispatch_id": …, "packet": … }`);
    }
    const text = typeof value.packet === 'string' ? value.packet : JSON.stringify(value.packet);
    const cost = 'cost' in value && typeof value.cost === 'string' ? { cost: value.cost } : {};
    incoming.push({ dispatch_id: value.dispatch_id, bytes: encoder.encode(text), ...cost });
  }
  return { ok: true, incoming };
}

function readBytes(context: CliContext, file: string): Uint8Array | string {
  try {
    const bytes = readFileSync(file === '-' ? 0 : resolve(context.cwd, file));
    return bytes.length > SUBMIT_BYTES_MAX
      ? `${file} has ${bytes.length} bytes; accepted are at most ${SUBMIT_BYTES_MAX}`
      : bytes;
  } catch (error) {
    return `${file} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'})`;
  }
}

function refused(code: string, message: string): Extract<Reading, { ok: false }> {
  return { ok: false, failure: usage(code, message) };
}

async function work(
  { chair }: StepSession,
  incoming: readonly Incoming[],
  batch: boolean,
): Promise<StepResult> {
  for (const one of incoming) {
    const slip = slipOf(chair.state, one);
    if (slip !== null) return { ok: false, failure: usage('OTHER_DISPATCH', slip) };
  }
  const executed = await chair.submit(incoming);
  const results: Submitted[] = [];
  for (const [index, outcome] of executed.entries()) {
    const one = incoming[index];
    if (one === undefined) continue;
    if (outcome.status !== 'done') return { ok: false, failure: refusalFailure(outcome) };
    results.push(resultOf(one, outcome));
  }
  const exit = results.reduce<ExitCode>(
    (worst, { result }) => Math.max(worst, exitOf(result)) as ExitCode,
    exitCode.done,
  );
  const [only] = results;
  return {
    ok: true,
    document: batch || only === undefined ? { results } : only,
    words: results
      .map(
        ({ dispatch_id, result, code, reason }) =>
          `${dispatch_id}  ${result}${code === undefined ? '' : `  ${code}: ${terminalText(reason ?? '')}`}\n`,
      )
      .join(''),
    exit,
  };
}

/** A packet that names another issued dispatch is the caller's slip: nothing is recorded (settled, 07). */
function slipOf(state: State, { dispatch_id, bytes }: Incoming): string | null {
  const row = findRow(state, dispatch_id);
  if (row === null || row.state !== 'dispatched') return null;
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
