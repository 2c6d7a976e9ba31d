/**
 * Looks at bot, chat and users through the Bot API. Changes nothing but what was asked for: a webhook removed, a test
 * message sent. Updates are looked at without being confirmed.
 */
import type { Api } from 'grammy';
import type { ChatFullInfo, Update, UserFromGetMe } from 'grammy/types';
import type { ApiSignal, TelegramClient } from '../transport/telegram/api-client.ts';
import type { CallOutcome, Target } from '../transport/telegram/ports.ts';
import type { TokenHold } from '../transport/telegram/token-lock.ts';
import { failed, networkNext, note, wordsOf, type Finding } from './finding.ts';
import { heardChats, type HeardChat } from './heard-chats.ts';
import { judgeHold, judgeToken, judgeWebhook } from './judge-bot.ts';
import { judgeChat, judgeHearing, judgeSend, judgeWrite } from './judge-chat.ts';
import { judgeUser } from './judge-user.ts';

export interface CheckRequest {
  /** Null: show who wrote to the bot. */
  readonly target: Target | null;
  readonly allowed: ReadonlySet<number>;
  readonly deleteWebhook: boolean;
  readonly send: boolean;
}

export interface CheckReport {
  readonly bot: UserFromGetMe | null;
  readonly findings: readonly Finding[];
  /** Null where it was not looked for. */
  readonly chats: readonly HeardChat[] | null;
}

export interface Looking {
  readonly client: TelegramClient;
  /** Takes the token for this process: one program polls it. */
  readonly hold: () => Promise<TokenHold>;
  readonly request: CheckRequest;
}

const requestMs = 10_000;
const updatesMax = 100;
const testText =
  '👋 A test message of bridge-daemon. Questions of your agents will arrive here; there is nothing to answer now.';

type Call = <Value>(work: (api: Api, signal: ApiSignal) => Promise<Value>) => Promise<CallOutcome<Value>>;

/** Ends within the bounds of its few calls. Never rejects. */
export const look = async ({ client, hold, request }: Looking): Promise<CheckReport> => {
  const { signal } = new AbortController();
  const call: Call = (work) => client.call(work, { signal, timeoutMs: requestMs });
  const me = await call((api, stop) => api.getMe(stop));
  if (me.code !== 'ok') return { bot: null, findings: [judgeToken(me)], chats: null };
  const findings = [judgeToken(me), await lookAtWebhook(call, request)];
  const held = await hold();
  try {
    const holder = judgeHold(held);
    if (holder !== null) findings.push(holder);
    if (request.target !== null)
      findings.push(...(await lookAtChat(call, me.value, request, request.target)));
    else if (holder !== null) findings.push(takenByDaemon);
    else {
      const waiting = await call((api, stop) => api.getUpdates({ limit: updatesMax, timeout: 0 }, stop));
      const { finding, chats } = judgeWaiting(waiting, me.value);
      return { bot: me.value, findings: finding === null ? findings : [...findings, finding], chats };
    }
  } finally {
    if (held.code === 'held') await held.release();
  }
  return { bot: me.value, findings, chats: null };
};

const lookAtWebhook = async (call: Call, { deleteWebhook }: CheckRequest): Promise<Finding> => {
  const info = await call((api, stop) => api.getWebhookInfo(stop));
  const there = info.code === 'ok' && (info.value.url ?? '') !== '';
  const removal =
    there && deleteWebhook
      ? await call((api, stop) => api.deleteWebhook({ drop_pending_updates: false }, stop))
      : null;
  return judgeWebhook(info, removal);
};

const lookAtChat = async (
  call: Call,
  me: UserFromGetMe,
  { allowed, send }: CheckRequest,
  target: Target,
): Promise<readonly Finding[]> => {
  const chat = await call((api, stop) => api.getChat(target.chat, stop));
  const judged = judgeChat(chat, target);
  if (chat.code !== 'ok' || judged.state === 'failed') return [judged];
  const thread = target.topic === null ? {} : { message_thread_id: target.topic };
  const member = await call((api, stop) => api.getChatMember(target.chat, me.id, stop));
  const typing = await call((api, stop) => api.sendChatAction(target.chat, 'typing', thread, stop));
  const hearing = judgeHearing(me, member, chat.value);
  const findings = [judged, judgeWrite(typing, target), ...(hearing === null ? [] : [hearing])];
  for (const id of allowed)
    findings.push(
      judgeUser(id, chat.value, await call((api, stop) => api.getChatMember(target.chat, id, stop))),
    );
  if (allowed.size === 0) findings.push(nobodyAllowed(chat.value));
  if (send)
    findings.push(judgeSend(await call((api, stop) => api.sendMessage(target.chat, testText, thread, stop))));
  return findings;
};

const nobodyAllowed = (chat: ChatFullInfo): Finding =>
  note(
    'users',
    'nobody is named who may answer, and bridge-daemon starts only when somebody is',
    chat.type === 'private'
      ? `write --allow-user ${chat.id}`
      : 'write --allow-user <id> for each of them; run this without --to to see the ids of those who wrote to the bot',
  );

const takenByDaemon: Finding = note(
  'chats',
  'what is written to the bot goes to that daemon, so there is nothing to list',
  'to see chats and ids, end the daemon first: what is written meanwhile waits for it',
);

const judgeWaiting = (
  waiting: CallOutcome<Update[]>,
  me: UserFromGetMe,
): { readonly finding: Finding | null; readonly chats: readonly HeardChat[] | null } => {
  if (waiting.code === 'ok') {
    const chats = heardChats(waiting.value);
    if (chats.length > 0) return { finding: null, chats };
    const finding = note(
      'chats',
      'nobody has written to the bot lately',
      `open https://t.me/${me.username} and press Start; in a group, add the bot and write /start@${me.username}; then run this again`,
    );
    return { finding, chats };
  }
  const conflict = waiting.code === 'refused' && waiting.status === 409;
  const next = conflict
    ? 'if a webhook is set, see above; else find the other program, or revoke the token at @BotFather and give the new one to bridge-daemon alone'
    : (networkNext(waiting) ?? 'wait a little, then run this again');
  return { finding: failed('chats', wordsOf(waiting), next), chats: null };
};
