/**
 * What needs doing now and then, in small steps so that nobody waits for it: work that closed records still owe after a
 * restart, records of daemons that are gone, and the bound on `closed/` (05 Nothing a person said is lost).
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { limits, sameDaemon, type Daemon, type Placement, type Qid } from '@x/bridge';
import type { Logger } from '../log/operational-log.ts';
import { removeIfThere } from '../store/durable-write.ts';
import type { Folders } from '../store/folders.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { QuestionDesk } from './question-desk.ts';

interface HousekeepingParts {
  readonly folders: Folders;
  readonly store: RecordStore;
  readonly desk: QuestionDesk;
  readonly daemon: Daemon;
  readonly log: Logger;
  readonly now: () => number;
  readonly isAlive: (daemon: Daemon) => Promise<boolean>;
  readonly stopped: () => boolean;
  /** The bound on `closed/`; `limits.closedRecords` where not given. */
  readonly closedMax?: number;
}

/** Files looked at between two turns of the event loop. */
const stepSize = 16;

async function* inSteps<Item>(items: readonly Item[], stopped: () => boolean): AsyncGenerator<Item> {
  for (const [index, item] of items.entries()) {
    if (stopped()) return;
    if (index % stepSize === stepSize - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    yield item;
  }
}

/** Goes on with records of ours outside `pending/` that owe something: a kill came between closing and doing. */
export const reviveOwing = async (parts: HousekeepingParts): Promise<void> => {
  const { store, desk, daemon, log, stopped } = parts;
  for (const placement of ['closed', 'undelivered'] satisfies Placement[])
    for await (const qid of inSteps(store.list(placement), stopped)) {
      if (desk.held(qid) !== null) continue;
      const reading = store.locate(qid)?.reading;
      if (reading?.code === 'newer' || reading?.code === 'damaged')
        log.warn({ qid, placement, reading }, 'a record cannot be read and is left alone');
      if (reading?.code !== 'record' || reading.record.owed.length === 0) continue;
      if (sameDaemon(reading.record.daemon, daemon)) await desk.revive(qid);
    }
};

/** Moves aside what a daemon that is gone left in `pending/` a day after its deadline. */
export const setAsideAbandoned = async (parts: HousekeepingParts): Promise<void> => {
  const { store, desk, daemon, now, isAlive, log, stopped } = parts;
  for await (const qid of inSteps(store.list('pending'), stopped)) {
    if (desk.held(qid) !== null) continue;
    const reading = store.locate(qid)?.reading;
    if (reading?.code !== 'record' || sameDaemon(reading.record.daemon, daemon)) continue;
    if (now() < Date.parse(reading.record.deadline) + limits.abandonedAfterMs) continue;
    if (await isAlive(reading.record.daemon)) continue;
    await desk.apply(qid, { event: 'abandoned' });
    log.warn(
      { qid, daemon: reading.record.daemon },
      'a question of a daemon that is gone was moved to undelivered/',
    );
  }
};

/** Removes closed records that are too old or too many, the oldest first; never one that still owes something. */
export const pruneClosed = async (parts: HousekeepingParts): Promise<number> => {
  const { folders, store, desk, now, stopped, closedMax = limits.closedRecords } = parts;
  const found: { qid: Qid; path: string; closedAt: number }[] = [];
  for await (const qid of inSteps(store.list('closed'), stopped)) {
    const path = join(folders.placed.closed, `${qid}.json`);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) found.push({ qid, path, closedAt: stats.mtimeMs });
  }
  found.sort((one, other) => one.closedAt - other.closedAt);
  const tooMany = Math.max(0, found.length - closedMax);
  let removed = 0;
  for await (const [index, { qid, path, closedAt }] of inSteps([...found.entries()], stopped)) {
    if (index >= tooMany && now() - closedAt <= limits.closedMs) break;
    const reading = store.locate(qid)?.reading;
    if (
      desk.held(qid) !== null ||
      reading?.code !== 'record' ||
      reading.record.owed.some((item) => item.do !== 'log')
    )
      continue;
    removeIfThere(path);
    removed += 1;
  }
  return removed;
};
