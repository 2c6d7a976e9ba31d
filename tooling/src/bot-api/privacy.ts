/** Which messages of a group a bot gets: all for an administrator, else what its privacy mode lets through. */
import type { Message } from './objects.ts';
import type { BotAccount, Place } from './place.ts';

export function mayRead(place: Place, bot: BotAccount, message: Message): boolean {
  const { status } = place.member(message.chat, bot.user);
  if (status === 'left' || status === 'kicked') return false;
  if (status === 'administrator' || status === 'creator' || bot.readsAll) return true;
  if (message.chat.type === 'channel') return false;
  // Service messages go to everybody.
  const words = message.text ?? message.caption;
  if (message.migrate_to_chat_id !== undefined || message.migrate_from_chat_id !== undefined) return true;
  if (message.reply_to_message?.from?.id === bot.user.id) return true;
  if (words === undefined) return false;
  if (words.includes(`@${bot.user.username ?? ''}`)) return true;
  return /^\/\w+(?![\w@])/.test(words);
}
