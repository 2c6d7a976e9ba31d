/** The chat of `--to`: is it there, may the bot write in it, and what of it does the bot hear? */
import type { ChatFullInfo, ChatMember, Message, UserFromGetMe } from 'grammy/types';
import type { CallOutcome, Target } from '../transport/telegram/ports.ts';
import { failed, networkNext, note, ok, visible, wordsOf, type Failure, type Finding } from './finding.ts';

export const kindOf = (chat: { readonly type: string; readonly is_forum?: boolean | undefined }): string =>
  chat.type === 'private'
    ? 'a private chat'
    : `a ${chat.type}${chat.is_forum === true ? ' with topics' : ''}`;

export const titleOf = (chat: {
  readonly title?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}): string => visible(chat.title ?? [chat.first_name ?? '', chat.last_name ?? ''].join(' '));

const otherwise = (check: string, failure: Failure): Finding =>
  failed(check, wordsOf(failure), networkNext(failure) ?? 'wait a little, then run this again');

const isGroup = ({ chat }: Target): boolean => chat < 0;

export const judgeChat = (chat: CallOutcome<ChatFullInfo>, target: Target): Finding => {
  if (chat.code === 'ok') {
    const found = `${titleOf(chat.value)}, ${kindOf(chat.value)}`;
    if (chat.value.type === 'channel')
      return failed('chat', `${found}: nobody can reply in a channel`, 'use a group or a private chat');
    if (target.topic !== null && chat.value.is_forum !== true)
      return failed(
        'chat',
        `${found}, and it has no topics`,
        `write --to telegram:${target.chat}, or turn topics on in the group’s settings`,
      );
    return ok('chat', found);
  }
  if (chat.code !== 'refused') return otherwise('chat', chat);
  if (chat.movedTo !== null)
    return failed(
      'chat',
      'the group became a supergroup and has another id',
      `write --to telegram:${chat.movedTo}`,
    );
  if (chat.status === 429) return otherwise('chat', chat);
  return failed(
    'chat',
    `${wordsOf(chat)} (${target.chat})`,
    isGroup(target)
      ? 'add the bot to the group, write something there, and run this without --to: it shows the ids of chats that wrote to the bot'
      : 'let that person open the chat with the bot and press Start, then run this without --to: it shows the ids of those who wrote to the bot',
  );
};

/** `tried`: that it is typing was shown in the chat, which needs the same rights as a message and leaves nothing behind. */
export const judgeWrite = (tried: CallOutcome<true>, target: Target): Finding => {
  if (tried.code === 'ok')
    return ok('write', `the bot may write ${target.topic === null ? 'there' : `in topic ${target.topic}`}`);
  if (tried.code !== 'refused' || tried.status === 429) return otherwise('write', tried);
  const words = wordsOf(tried);
  if (words.includes('thread not found'))
    return failed(
      'write',
      `${words}: there is no topic ${target.topic ?? ''}`,
      'write something in the topic and run this without --to: it shows topics, too',
    );
  if (words.includes('TOPIC_CLOSED')) return failed('write', words, 'open the topic again');
  if (words.includes('blocked'))
    return failed('write', words, 'let that person open the chat with the bot and choose Restart or Unblock');
  if (tried.status === 403) return failed('write', words, 'add the bot to the group again');
  return failed('write', words, 'let an administrator of the group give the bot the right to send messages');
};

/** What the bot hears of a group; null in a private chat, where it hears all. */
export const judgeHearing = (
  me: UserFromGetMe,
  member: CallOutcome<ChatMember>,
  chat: ChatFullInfo,
): Finding | null => {
  if (chat.type === 'private') return null;
  if (member.code !== 'ok') return otherwise('hears', member);
  const { status } = member.value;
  if (status === 'administrator' || status === 'creator')
    return ok('hears', 'everything in the group, as an administrator');
  if (me.can_read_all_group_messages) return ok('hears', 'everything in the group: its privacy mode is off');
  return note(
    'hears',
    'replies to its messages, its buttons and commands; its privacy mode keeps all else from it, such as an answer typed without replying',
    'if that is to be heard as well: send /setprivacy to @BotFather, choose the bot and Disable, then take the bot out of the group and add it again (or make it an administrator)',
  );
};

export const judgeSend = (sent: CallOutcome<Message.TextMessage>): Finding =>
  sent.code === 'ok'
    ? ok('send', `the test message is sent (message ${sent.value.message_id}): look whether you see it`)
    : failed(
        'send',
        `the test message is not sent: ${wordsOf(sent)}`,
        networkNext(sent) ?? 'mend what is marked above, then run this again',
      );
