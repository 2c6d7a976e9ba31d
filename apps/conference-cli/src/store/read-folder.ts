/** A conference folder as a reader sees it: no lock, nothing set aside (03 Ledger). */
import { join } from 'node:path';
import { EVENTS_JSONL, FINAL_REPORT_MD, evolve, INITIAL_STATE, type State } from '@x/conference-core';
import type { LockHolder } from '@x/ledger';
import { inspectLock, readLedger } from '@x/ledger/node';
import type { ConferenceEvent } from '@x/protocol';
import type { Failure } from '../output.ts';
import { exitCode } from '../exit-code.ts';
import { acceptRecord } from './accept-record.ts';
import { ledgerFailure } from './ledger-failure.ts';
import { wholeTail } from './whole-tail.ts';

export interface FolderReading {
  readonly state: State;
  readonly head: { readonly seq: number; readonly digest: string; readonly bytes: number };
  /** Where the ledger ended when the final report was made: before the report's own record; null without one. */
  readonly reportHead: { readonly seq: number; readonly digest: string } | null;
  /** Bytes after the last newline: in flight while a writer lives. */
  readonly inFlightBytes: number;
  /** Who writes at this moment, if anybody. */
  readonly holder: LockHolder | null;
  readonly running: boolean;
}

export type FolderResult =
  | ({ readonly ok: true } & FolderReading)
  | { readonly ok: false; readonly failure: Failure };

/** A folder as the next writer will find it: a whole last record without its newline counts, unless a writer is in flight. */
export async function readAsWriter(folder: string): Promise<FolderResult> {
  const found = await readFolder(folder);
  if (!found.ok || found.running) return found;
  const tail = wholeTail(join(folder, EVENTS_JSONL), found.head, found.inFlightBytes);
  const event = tail === null ? null : acceptRecord(tail.record);
  if (tail === null || event === null || typeof event === 'string') return found;
  const { seq, digest } = tail.record;
  return {
    ...found,
    state: evolve(found.state, event),
    head: { seq, digest, bytes: found.head.bytes + tail.bytes },
    inFlightBytes: found.inFlightBytes - tail.bytes,
  };
}

/** Verifies and folds the ledger of a folder. `onEvent` is given each event, in order. */
export async function readFolder(
  folder: string,
  onEvent: (event: ConferenceEvent, seq: number, digest: string) => void = () => undefined,
): Promise<FolderResult> {
  let state = INITIAL_STATE;
  let reportHead: FolderReading['reportHead'] = null;
  for await (const item of readLedger(join(folder, EVENTS_JSONL))) {
    if (item.kind === 'record') {
      const event = acceptRecord(item.record);
      if (typeof event === 'string')
        return {
          ok: false,
          failure: { code: 'LEDGER_TOO_NEW', message: `LEDGER_TOO_NEW: ${event}`, exit: exitCode.failed },
        };
      state = evolve(state, event);
      if (event.event === 'artifact.written' && event.payload.path === FINAL_REPORT_MD) {
        reportHead = { seq: item.record.seq - 1, digest: item.record.prev };
      }
      onEvent(event, item.record.seq, item.record.digest);
      continue;
    }
    if (item.kind === 'refused') {
      const failure = ledgerFailure(item.refused);
      // What stands before the damage must still say who may write, or nothing can be decided on it.
      const damaged = failure.damaged && { ...failure.damaged, granted: state.grant !== null };
      return { ok: false, failure: damaged === undefined ? failure : { ...failure, damaged } };
    }
    const lock = await inspectLock(folder);
    const { head, inFlightBytes } = item;
    return {
      ok: true,
      state,
      head,
      reportHead,
      inFlightBytes,
      holder: lock.status === 'held' ? lock.holder : null,
      running: lock.status === 'held',
    };
  }
  const message = `LEDGER_IO: the ledger of ${folder} ended without an end`;
  return { ok: false, failure: { code: 'LEDGER_IO', message, exit: exitCode.failed } };
}
