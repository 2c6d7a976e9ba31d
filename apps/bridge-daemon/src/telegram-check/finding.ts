/**
 * What `telegram-check` found, a line each: what was looked at, how it stands, and what to do about it.
 *
 * T1 Names and titles come from strangers: what a terminal would take for an order is gone from them.
 */
import type { CallOutcome } from '../transport/telegram/ports.ts';

export interface Finding {
  readonly check: string;
  /** `note`: it works, and one should know. */
  readonly state: 'ok' | 'note' | 'failed';
  readonly text: string;
  /** The next thing to do; null where there is none. */
  readonly next: string | null;
}

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text, next: null });
export const note = (check: string, text: string, next: string): Finding => ({
  check,
  state: 'note',
  text,
  next,
});
export const failed = (check: string, text: string, next: string): Finding => ({
  check,
  state: 'failed',
  text,
  next,
});

export type Failure = Exclude<CallOutcome<unknown>, { readonly code: 'ok' }>;

export const wordsOf = (failure: Failure): string =>
  failure.code === 'aborted' ? 'it was given up' : visible(failure.message);

/** What to do where the network, and not Telegram, said no; null where Telegram did. */
export const networkNext = (failure: Failure): string | null =>
  failure.code === 'refused'
    ? null
    : 'check the network of this machine, and TELEGRAM_API_ROOT if it is set; then run this again';

const nameUnitsMax = 80;
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A name or title as one harmless line. */
export const visible = (text: string): string => {
  const clean = text.replaceAll(hiddenCharacters, ' ').trim();
  if (clean.length <= nameUnitsMax) return clean === '' ? 'without a name' : clean;
  return `${clean.slice(0, nameUnitsMax).replace(/[\uD800-\uDBFF]$/, '')}…`;
};

export const personName = (user: {
  readonly first_name: string;
  readonly last_name?: string;
  readonly username?: string;
}): string => {
  const name = visible([user.first_name, user.last_name ?? ''].join(' '));
  return user.username === undefined ? name : `${name} (@${visible(user.username)})`;
};
