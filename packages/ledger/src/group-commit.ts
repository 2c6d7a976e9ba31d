/** Group commit: the appends of one turn become one write and one sync. */
import type { Appended, Ledger } from './ledger.ts';
import type { Entry, Recorded } from './record.ts';
import type { Refused } from './refusal.ts';

/** Collects appends. Each caller gets its own records once the whole group is durable, or the refusal of the whole group. */
export type GroupCommit = {
  readonly append: <E extends Entry>(entries: readonly E[]) => Promise<Appended<E> | Refused>;
  /** Commits now what has been collected. */
  readonly flush: () => void;
};

/** Most entries that wait for one commit; the one that reaches it commits at once. */
export const groupEntriesMaxDefault = 4096;

/**
 * `schedule` says when a turn ends: default `queueMicrotask`, so that everything appended before the next await is one group.
 * The group expects the ledger's own head: use it where one owner appends and order is all that matters.
 */
export const createGroupCommit = (
  ledger: Ledger,
  options: { readonly schedule?: (commit: () => void) => void; readonly entriesMax?: number } = {},
): GroupCommit => {
  const schedule = options.schedule ?? queueMicrotask;
  const entriesMax = options.entriesMax ?? groupEntriesMaxDefault;
  let waiting: {
    readonly entries: readonly Entry[];
    readonly settle: (outcome: Appended | Refused) => void;
  }[] = [];
  let count = 0;

  const flush = (): void => {
    if (waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    count = 0;
    const outcome = ledger.append(
      ledger.head,
      group.flatMap(({ entries }) => entries),
    );
    let start = 0;
    for (const { entries, settle } of group) {
      const end = start + entries.length;
      settle(
        outcome.status === 'appended' ? { ...outcome, records: outcome.records.slice(start, end) } : outcome,
      );
      start = end;
    }
  };

  return {
    flush,
    append: <E extends Entry>(entries: readonly E[]) =>
      new Promise<Appended<E> | Refused>((resolve) => {
        const settle = (outcome: Appended | Refused): void => {
          if (outcome.status === 'refused') return resolve(outcome);
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a group is appended whole and in order: these are the records of these entries
          const records = outcome.records as readonly Recorded<E>[];
          resolve({ ...outcome, records });
        };
        waiting.push({ entries, settle });
        count += entries.length;
        if (count >= entriesMax) flush();
        else if (waiting.length === 1) schedule(flush);
      }),
  };
};
