/** A user of `--allow-user`: could they answer in that chat? */
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import type { CallOutcome } from '../transport/telegram/ports.ts';
import { failed, networkNext, ok, personName, wordsOf, type Finding } from './finding.ts';

const findIds = 'run this without --to: it shows the ids of those who wrote to the bot';

export const judgeUser = (id: number, chat: ChatFullInfo, member: CallOutcome<ChatMember>): Finding => {
  const check = `user ${id}`;
  if (chat.type === 'private' && chat.id !== id)
    return failed(
      check,
      `cannot answer there: in private chat ${chat.id} only user ${chat.id} writes`,
      `write --allow-user ${chat.id}, or name a group by --to`,
    );
  if (member.code !== 'ok')
    return member.code === 'refused' && member.status === 400
      ? failed(check, `Telegram knows no such member of the chat: ${wordsOf(member)}`, findIds)
      : failed(check, wordsOf(member), networkNext(member) ?? 'wait a little, then run this again');
  const { user, status } = member.value;
  const name = personName(user);
  if (user.is_bot) return failed(check, `${name} is a bot, and bots are not heard`, findIds);
  const gone =
    status === 'left' || status === 'kicked' || (status === 'restricted' && !member.value.is_member);
  if (gone)
    return failed(check, `${name} is not in the chat`, 'add them to the group, or leave the flag out');
  if ('is_anonymous' in member.value && member.value.is_anonymous)
    return failed(
      check,
      `${name} is an administrator who writes as the group, so nobody can tell who answered`,
      'turn off Remain anonymous in the rights of that administrator',
    );
  return ok(check, `${name} may answer`);
};
