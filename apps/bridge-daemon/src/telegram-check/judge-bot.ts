/** The bot itself: does Telegram know the token, and may the bot be polled? */
import type { UserFromGetMe, WebhookInfo } from 'grammy/types';
import type { CallOutcome } from '../transport/telegram/ports.ts';
import type { TokenHold } from '../transport/telegram/token-lock.ts';
import { failed, networkNext, note, ok, personName, visible, wordsOf, type Finding } from './finding.ts';

export const judgeToken = (me: CallOutcome<UserFromGetMe>): Finding => {
  if (me.code === 'ok') return ok('token', `it is that of ${personName(me.value)}, bot ${me.value.id}`);
  const unknown = me.code === 'refused' && (me.status === 401 || me.status === 404);
  return unknown
    ? failed(
        'token',
        `Telegram does not know it: ${wordsOf(me)}`,
        'send /mybots to @BotFather, choose the bot, then API Token, and copy the whole line; after a revoke only the new token works',
      )
    : failed(
        'token',
        wordsOf(me),
        networkNext(me) ?? 'wait a little, and check TELEGRAM_API_ROOT if it is set; then run this again',
      );
};

/** The host alone: the rest of such an address is often the token. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an unreadable address');

export const judgeWebhook = (info: CallOutcome<WebhookInfo>, removal: CallOutcome<true> | null): Finding => {
  if (info.code !== 'ok')
    return failed('webhook', wordsOf(info), networkNext(info) ?? 'wait a little, then run this again');
  const { url = '', pending_update_count: waiting } = info.value;
  if (url === '') return ok('webhook', 'none is set, so the bot can be polled');
  if (removal?.code === 'ok')
    return ok('webhook', `the one to ${hostOf(url)} is removed; ${waiting} waiting updates are kept`);
  if (removal !== null)
    return failed('webhook', `it was not removed: ${wordsOf(removal)}`, 'wait a little, then run this again');
  return failed(
    'webhook',
    `one is set, to ${hostOf(url)}: as long as it is, Telegram hands no reply to bridge-daemon`,
    'if nothing else needs it, run this again with --delete-webhook, which keeps what waits; else make a bot of its own for bridge-daemon',
  );
};

/** Who has the token on this machine; `held`: nobody but us. */
export const judgeHold = (hold: TokenHold): Finding | null => {
  if (hold.code === 'held') return null;
  const { holder, message } = hold;
  if (holder === null)
    return note('daemon', visible(message), 'end what uses this bot on this machine, then run this again');
  const who = `${visible(holder.name)} (project ${visible(holder.project)}, process ${holder.pid})`;
  return ok('daemon', `${who} reads this bot now`);
};
