/** What one poll brought is looked at as a whole: an edit that came with its message is part of what was said. Pure. */
import type { Message, Update } from 'grammy/types';
import { hasSpot } from './update-shape.ts';

/** Null for one that has not the shape of a message, which is set aside. */
const spotOf = (message: Message): string | null =>
  hasSpot(message) ? `${message.chat.id} ${message.message_id}` : null;

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
