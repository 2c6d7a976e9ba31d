/** What one poll brought is looked at as a whole: an edit that came with its message is part of what was said. Pure. */
import type { Message, Update } from 'grammy/types';

const spotOf = ({ chat, message_id: id }: Pick<Message, 'chat' | 'message_id'>): string => `${chat.id} ${id}`;

/**
 * Whether a message among the first `handled` updates is edited by one of the others: until that one is handled nothing
 * is handed on, or the agent would get words that the person took back before it heard of them.
 */
export const editsToCome = (updates: readonly Update[], handled: number): boolean => {
  const said = new Set(
    updates.slice(0, handled).flatMap(({ message }) => (message === undefined ? [] : [spotOf(message)])),
  );
  return updates
    .slice(handled)
    .some(({ edited_message: edited }) => edited !== undefined && said.has(spotOf(edited)));
};
