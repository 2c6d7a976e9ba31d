/**
 * One writer a folder. The kernel lock decides (kernel-lock.ts), `ledger.lock` names the holder (lock-file.ts).
 * Boundary: waiting, naming, giving back; nothing here knows what the folder holds.
 */
import { ftruncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../error.ts';
import type { LockHolder, Refused } from '../refusal.ts';
import { refusedBy, troubleOf } from './fault.ts';
import { isKernelLockHeld, lockFileName, takeKernelLock, type KernelLock } from './kernel-lock.ts';
import {
  holderOf,
  isAliveHere,
  mayStillHold,
  ownNote,
  placeNote,
  readNote,
  replaceNote,
  startTicksOf,
  withdrawNote,
  type LockLabel,
} from './lock-file.ts';

/** A folder that this process alone may write. */
export type FolderLock = {
  readonly status: 'held';
  /** Says more about the holder: others read it in `ledger.lock` and in their refusals. */
  readonly announce: (label: LockLabel) => void;
  /** Gives the folder back. Twice is once. */
  readonly release: () => Promise<void>;
};

/** `lockWaitMs`: how long to wait for another writer, 0 to 2^31-1 (default 5000). */
export type LockOptions = LockLabel & { readonly lockWaitMs?: number };

/** How long a writer waits for another one, in milliseconds, unless told. */
export const lockWaitMsDefault = 5000;

const waitMsMax = 2 ** 31 - 1;
const pollMs = { first: 2, most: 40 } as const;

/**
 * Takes the lock of a folder. Refuses with `LEDGER_LOCKED`, naming the holder, after `lockWaitMs`; with the system's
 * trouble when the folder cannot be used. Never rejects but for a wrong option. Implements 03 Ledger ("One writer").
 */
export const lockFolder = async (
  folder: string,
  options: LockOptions = {},
): Promise<FolderLock | Refused> => {
  const lockWaitMs = options.lockWaitMs ?? lockWaitMsDefault;
  if (!(lockWaitMs >= 0 && lockWaitMs <= waitMsMax)) {
    throw new LedgerError(
      'WRONG_OPTION',
      `lockWaitMs: found ${lockWaitMs}, accepted: 0 to ${waitMsMax} milliseconds`,
    );
  }
  const started = performance.now();
  const path = join(folder, lockFileName);
  let pause: number = pollMs.first;
  let kernel: KernelLock | 'busy' = 'busy';
  try {
    for (;;) {
      if (kernel === 'busy') kernel = await takeKernelLock(folder);
      if (kernel !== 'busy') {
        const text = claim(kernel, path, options);
        if (text !== null) return heldLock({ kernel, path, text }, options);
      }
      const waitedMs = Math.round(performance.now() - started);
      if (waitedMs >= lockWaitMs) {
        const refused = lockedBy(nameHolder(path), waitedMs);
        if (kernel !== 'busy') await kernel.release();
        return refused;
      }
      // Jitter: waiters that started together must not come back together.
      await sleep(Math.min(pause * (0.5 + Math.random()), lockWaitMs - waitedMs + 1));
      pause = Math.min(pause * 2, pollMs.most);
    }
  } catch (error) {
    if (kernel !== 'busy') await kernel.release();
    return refusedBy(troubleOf(error, 'lock', folder));
  }
};

/** Writes the holder's name. Null: a holder in another namespace stands there. */
const claim = (kernel: KernelLock, path: string, label: LockLabel): string | null => {
  const own = ownNote(label);
  const text = JSON.stringify(own);
  if (kernel.file !== null) {
    writeInPlace(kernel.file, text);
    return text;
  }
  if (placeNote(path, text)) return text;
  const found = readNote(path);
  if (found === null) return placeNote(path, text) ? text : null;
  if (found.note !== null && mayStillHold(found.note, own, startTicksOf)) return null;
  withdrawNote(path, found.text);
  return placeNote(path, text) ? text : null;
};

const writeInPlace = (file: number, text: string): void => {
  ftruncateSync(file, 0);
  writeSync(file, `${text}\n`, 0);
};

const heldLock = (
  held: { readonly kernel: KernelLock; readonly path: string; readonly text: string },
  first: LockLabel,
): FolderLock => {
  const { kernel, path } = held;
  let label = first;
  let { text } = held;
  let released: Promise<void> | null = null;
  const giveBack = async (): Promise<void> => {
    try {
      if (kernel.file === null) withdrawNote(path, text);
      else ftruncateSync(kernel.file, 0);
    } catch (error) {
      troubleOf(error, 'unlock', path); // a note left behind only names a process that holds nothing
    }
    await kernel.release();
  };
  return {
    status: 'held',
    announce: (more) => {
      label = { ...label, ...more };
      text = JSON.stringify(ownNote(label));
      if (kernel.file === null) replaceNote(path, text);
      else writeInPlace(kernel.file, text);
    },
    release: () => (released ??= giveBack()),
  };
};

const nameHolder = (path: string): LockHolder | null => {
  const note = readNote(path)?.note ?? null;
  return note !== null && isAliveHere(note, ownNote({})) ? holderOf(note) : null;
};

const lockedBy = (holder: LockHolder | null, waitedMs: number): Refused => {
  const who =
    holder === null
      ? 'another process (it left no name)'
      : `process ${holder.pid} on ${holder.host}, started ${holder.started_at}${holder.purpose === undefined ? '' : ` (${holder.purpose})`}`;
  return {
    status: 'refused',
    code: 'LEDGER_LOCKED',
    message: `held by ${who}; waited ${waitedMs} ms. Wait for it or end it. If it ran in another container or on another machine and is surely gone, remove ${lockFileName}`,
    retryable: true,
    holder,
    waitedMs,
  };
};

/** Whether a folder has a writer now, and which. Takes nothing and waits for nothing; rejects when there is no such folder. */
export const inspectLock = async (
  folder: string,
): Promise<{ readonly status: 'free' } | { readonly status: 'held'; readonly holder: LockHolder | null }> => {
  const path = join(folder, lockFileName);
  if (await isKernelLockHeld(folder)) return { status: 'held', holder: nameHolder(path) };
  const note = readNote(path)?.note ?? null;
  if (note === null || !mayStillHold(note, ownNote({}), startTicksOf)) return { status: 'free' };
  return { status: 'held', holder: holderOf(note) };
};
