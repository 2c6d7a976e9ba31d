/**
 * The updates that one bot has not confirmed yet.
 *
 * Boundary: no HTTP, no clock.
 *  Q1  An update is handed out until a poll with a larger offset confirms it.
 *  Q2  `allowed_updates` decides at the moment something happens, not at the moment it is asked for.
 */
import type { Update, UpdateContent } from './objects.ts';

export interface UpdateQueue {
  /** Not confirmed, oldest first. */
  readonly pending: Update[];
  push(content: UpdateContent): void;
  /** Confirms as the offset says and gives what is left; a negative offset counts from the end and forgets the rest. */
  take(offset: number, limit: number): readonly Update[];
  /** Updates up to, not including, this id are confirmed and forgotten. */
  confirm(offset: number): void;
  /** Hands updates out once more that were confirmed already, as a server after a failover does, whatever the offset. */
  redeliver(count: number): void;
  /** Kinds of updates that are queued from now on; null: all. */
  allow(kinds: readonly string[] | null): void;
  /** The next update gets this id, as after a week without any. */
  renumber(next: number): void;
  onUpdate(listener: () => void): () => void;
}

const firstId = 100;
const confirmedKept = 1_000;

export function createUpdateQueue(): UpdateQueue {
  const pending: Update[] = [];
  const confirmed: Update[] = [];
  const again: Update[] = [];
  const listeners = new Set<() => void>();
  let next = firstId;
  let allowed: readonly string[] | null = null;

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const forget = (count: number): void => {
    confirmed.push(...pending.splice(0, count));
    confirmed.splice(0, Math.max(0, confirmed.length - confirmedKept));
  };
  const confirm = (offset: number): void => {
    const kept = pending.findIndex(({ update_id }) => update_id >= offset);
    forget(kept === -1 ? pending.length : kept);
  };

  return {
    pending,
    push: (content) => {
      if (allowed !== null && !Object.keys(content).some((kind) => allowed?.includes(kind))) return;
      // A snapshot: what becomes of the message afterwards is told by updates of its own.
      pending.push({ update_id: next, ...structuredClone(content) });
      next += 1;
      tell();
    },
    take: (offset, limit) => {
      if (offset > 0) confirm(offset);
      if (offset < 0) forget(Math.max(0, pending.length + offset));
      return [...again.splice(0, limit), ...pending].slice(0, limit);
    },
    confirm,
    redeliver: (count) => {
      again.push(...confirmed.slice(Math.max(0, confirmed.length - count)));
      tell();
    },
    allow: (kinds) => {
      allowed = kinds;
    },
    renumber: (id) => {
      next = id;
    },
    onUpdate: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
