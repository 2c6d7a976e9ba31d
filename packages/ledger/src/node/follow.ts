/**
 * Following a ledger that grows, without a lock.
 *
 * L17 Each look starts at the end of the last verified record, so a half-written line that is cut back or written anew is never mixed.
 * L18 Records that were shown and then taken back (a writer's failed sync cuts its group off) are named: `rewound`.
 * L19 The path is looked up at each look: a removed or replaced file or folder ends the following, it never goes silent.
 */
import { watch, type FSWatcher } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LedgerError } from '../error.ts';
import { isFault, verifyLine } from '../verify-line.ts';
import { emptyHead, type Head } from '../record.ts';
import { damaged, type Refused } from '../refusal.ts';
import { errnoOf, refusedBy, troubleOf } from './fault.ts';
import { forkedAt, replacedAt } from './file-refusals.ts';
import { nodeSha256 } from './hash.ts';
import type { ReadItem, ReadOptions } from './read.ts';
import { headAfter, openForReading, scan } from './scan.ts';

/**
 * What a follower gets. `end`: everything up to now was shown, more may come. `rewound`: what followed `head` was taken
 * back by the writer; forget it. `refused` is the last item.
 */
export type FollowItem = ReadItem | { readonly kind: 'rewound'; readonly head: Head };

/** `pollMs`: longest time between two looks when the system tells nothing, 10 to 60000 (default 500). */
export type FollowOptions = ReadOptions & { readonly pollMs?: number };

/** How many ends of records are remembered for {@link FollowItem} `rewound`; further back it is `LEDGER_FORKED`. */
export const rewindRecordsMax = 4096;

const pollMsDefault = 500;

/**
 * Gives the records after `after` and then each new one, until `signal` is aborted (the iteration then simply ends) or
 * something is refused. Waits for a file that is not there yet, not for a folder. Wakes on changes and polls besides.
 */
export async function* followLedger(
  file: string,
  signal: AbortSignal,
  options: FollowOptions = {},
): AsyncGenerator<FollowItem, void, undefined> {
  const path = resolve(file);
  const pollMs = options.pollMs ?? pollMsDefault;
  if (!(pollMs >= 10 && pollMs <= 60_000)) {
    throw new LedgerError('WRONG_OPTION', `pollMs: found ${pollMs}, accepted: 10 to 60000 milliseconds`);
  }
  const alarm = startAlarm(dirname(path), pollMs, signal);
  const past: Head[] = [options.after ?? emptyHead];
  let handle: FileHandle | null = null;
  let told = false;
  try {
    while (!signal.aborted) {
      const look = await lookAt(path, handle);
      if (look.status === 'refused') {
        yield { kind: 'refused', refused: look };
        return;
      }
      ({ handle } = look);
      if (handle !== null) {
        const before = headOf(past);
        const refused = yield* readNew({ path, handle, past, options, told });
        if (refused !== null) {
          yield { kind: 'refused', refused };
          return;
        }
        told = told || before === headOf(past);
      }
      await alarm.next();
    }
  } finally {
    alarm.stop();
    await handle?.close();
  }
}

const headOf = (past: readonly Head[]): Head => past.at(-1) ?? emptyHead;

type Following = {
  readonly path: string;
  readonly handle: FileHandle;
  readonly past: Head[];
  readonly options: FollowOptions;
  /** Whether the follower was told already that it has seen everything. */
  readonly told: boolean;
};

/** One look: new records, then `end` if there were any or it is the first; rewinds when the file went back. */
async function* readNew(following: Following): AsyncGenerator<FollowItem, Refused | null, undefined> {
  const { path, handle, past, options, told } = following;
  try {
    const { size } = await handle.stat();
    let shown = 0;
    if (size < headOf(past).bytes) {
      if (!(await rewind(handle, past))) return forkedAt(headOf(past).bytes, size);
      yield { kind: 'rewound', head: headOf(past) };
    }
    for (;;) {
      const passes = scan(handle, headOf(past), options);
      let step = await passes.next();
      for (; step.done !== true; step = await passes.next()) {
        for (const [index, record] of step.value.records.entries()) {
          const head = headAfter(record, step.value.ends[index] ?? 0);
          past.push(head);
          if (past.length > rewindRecordsMax) past.shift();
          shown += 1;
          yield { kind: 'record', record, head };
        }
      }
      const { fault, head, inFlightBytes } = step.value;
      if (fault === null) {
        if (shown > 0 || !told) yield { kind: 'end', head, inFlightBytes };
        return null;
      }
      // Perhaps what was shown last was taken back and other lines stand there now.
      if (!(await rewind(handle, past)) || headOf(past).bytes === head.bytes) return damaged(fault, head);
      yield { kind: 'rewound', head: headOf(past) };
    }
  } catch (error) {
    return refusedBy(troubleOf(error, 'read', path));
  }
}

/** Goes back to the newest remembered record that still stands in the file. False: none does. */
const rewind = async (handle: FileHandle, past: Head[]): Promise<boolean> => {
  const kept = [...past];
  while (kept.length > 0) {
    if (await stands(handle, kept)) {
      past.splice(kept.length);
      return true;
    }
    kept.pop();
  }
  return false;
};

/** Whether the last of these records stands in the file, at its place, unchanged. */
const stands = async (handle: FileHandle, heads: readonly Head[]): Promise<boolean> => {
  const [before, head] = [heads.at(-2), heads.at(-1)];
  if (head === undefined) return false;
  if (before === undefined) return head.seq === 0;
  const line = Buffer.alloc(head.bytes - before.bytes);
  const { bytesRead } = await handle.read(line, 0, line.length, before.bytes);
  if (bytesRead < line.length || line.at(-1) !== 0x0a) return false;
  const expected = { seq: head.seq, prev: before.digest, offset: before.bytes };
  const found = verifyLine(line.subarray(0, -1), expected, { sha256: nodeSha256 });
  return !isFault(found) && found.digest === head.digest;
};

type Look = { readonly status: 'there'; readonly handle: FileHandle | null };

/** L19 */
const lookAt = async (path: string, handle: FileHandle | null): Promise<Look | Refused> => {
  try {
    if (handle === null) {
      const opened = await openForReading(path);
      if (!('status' in opened)) return { status: 'there', handle: opened };
      if (opened.code !== 'LEDGER_MISSING') return opened;
      await stat(dirname(path));
      return { status: 'there', handle: null };
    }
    const [named, held] = [await stat(path), await handle.stat()];
    return named.ino === held.ino && named.dev === held.dev ? { status: 'there', handle } : replacedAt(path);
  } catch (error) {
    return errnoOf(error) === 'UNKNOWN' ? Promise.reject(error) : refusedBy(troubleOf(error, 'stat', path));
  }
};

/** Rings when the folder changes, after `pollMs`, or when the signal is aborted. */
const startAlarm = (
  folder: string,
  pollMs: number,
  signal: AbortSignal,
): { readonly next: () => Promise<void>; readonly stop: () => void } => {
  let ring: (() => void) | null = null;
  let rung = false;
  const wake = (): void => {
    rung = true;
    ring?.();
  };
  signal.addEventListener('abort', wake, { once: true });
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, { persistent: false }, wake);
    watcher.on('error', () => watcher?.close()); // polling goes on
  } catch (error) {
    if (errnoOf(error) === 'UNKNOWN') throw error; // no watching here (too many watches, no such folder): polling does
  }
  return {
    next: async () => {
      if (!rung && !signal.aborted) {
        await new Promise<void>((go) => {
          const timer = setTimeout(go, pollMs);
          ring = () => {
            clearTimeout(timer);
            go();
          };
        });
      }
      rung = false;
    },
    stop: () => {
      signal.removeEventListener('abort', wake);
      watcher?.close();
      ring?.();
    },
  };
};
