/**
 * Time spent: the length of the union, over all research, poster and review dispatches, of
 * [issued, the earlier of terminal event and deadline] (01 Budgets).
 *
 * Kept as events come. Issues come in order of time, and every command first times out what is overdue (C6), so
 * a stretch is open exactly while some dispatch is out: the same total from any ledger, whoever wrote it.
 */
import type { Busy } from '../state.ts';

/** A dispatch that counts is issued at a time. */
export function startBusy(busy: Busy, atMs: number, open: number): Busy {
  if (open > 0 || atMs <= busy.until_ms) return { ...busy, until_ms: Math.max(busy.until_ms, atMs) };
  return { spent_ms: busy.spent_ms + (busy.until_ms - busy.since_ms), since_ms: atMs, until_ms: atMs };
}

/** A dispatch that counts ended: at its event, or at its deadline if that was earlier. */
export function endBusy(busy: Busy, atMs: number, deadlineMs: number): Busy {
  return { ...busy, until_ms: Math.max(busy.until_ms, Math.min(atMs, deadlineMs)) };
}

/**
 * Milliseconds spent up to a time.
 * @param lastDeadlineMs the latest deadline of a counting dispatch that is out, or null when none is
 */
export function spentMs(busy: Busy, nowMs: number, lastDeadlineMs: number | null): number {
  const until =
    lastDeadlineMs === null ? busy.until_ms : Math.max(busy.until_ms, Math.min(nowMs, lastDeadlineMs));
  return busy.spent_ms + (until - busy.since_ms);
}
