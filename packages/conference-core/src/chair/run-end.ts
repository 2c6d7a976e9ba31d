/** Why `runConference` came back: every way is a value, and what is recorded stands. */
import type { Decision, Outcome } from '@x/protocol';
import type { Refusal } from '../refusal.ts';
import type { Executed } from './commit.ts';

/** Why the loop ended. */
export type RunEnd =
  | { readonly end: 'done'; readonly outcome: Outcome; readonly target_met: boolean }
  /** Nobody here can answer; every open id is terminal. */
  | { readonly end: 'asked'; readonly decision: Decision }
  | { readonly end: 'unconfirmed' }
  | { readonly end: 'interrupted' }
  | { readonly end: 'refused'; readonly refusal: Refusal }
  /** A ledger, store or artifact refused a write; what is recorded stands. */
  | { readonly end: 'trouble'; readonly code: string; readonly message: string };

/** The end that an executed command brings, or null: it is done. */
export function troubleIn(executed: Executed): RunEnd | null {
  if (executed.status === 'done') return null;
  if (executed.status === 'refused') return { end: 'refused', refusal: executed.refusal };
  const { code, message } = executed.trouble;
  return { end: 'trouble', code, message };
}
