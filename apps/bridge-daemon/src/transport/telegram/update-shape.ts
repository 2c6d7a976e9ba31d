/**
 * Whether what the server handed out has the shape that grammY's types promise, as far as it is relied on here. An id that
 * is no number would end up in the state, which then could not be read again. Pure.
 */
import type { Message, Update } from 'grammy/types';
import * as z from 'zod';

const int = z.int();
/** Seconds since 1970, to the year 9999. */
const seconds = z.int().min(0).max(253_402_300_799);

const messageSchema = z.looseObject({
  message_id: int,
  date: seconds,
  edit_date: seconds.optional(),
  chat: z.looseObject({ id: int }),
  from: z.looseObject({ id: int, username: z.string().optional() }).optional(),
  message_thread_id: int.optional(),
  media_group_id: z.string().optional(),
  text: z.string().optional(),
  reply_to_message: z.looseObject({ message_id: int, text: z.string().optional() }).optional(),
});

/** Takes anything; an update without a number can be neither remembered nor told to the server as handled. */
export const isNumbered = (value: unknown): value is Update =>
  typeof value === 'object' &&
  value !== null &&
  'update_id' in value &&
  Number.isSafeInteger(value.update_id);

/** Whether chat and id can be read. Less than `messageFault`, and much quicker. */
export const hasSpot = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'message_id' in value &&
  'chat' in value &&
  typeof value.chat === 'object' &&
  value.chat !== null;

/** What is wrong with a message, in the names of its fields and without its words; null where nothing is. */
export const messageFault = (message: Message): string | null => {
  const [issue] = messageSchema.safeParse(message).error?.issues ?? [];
  return issue === undefined ? null : `the message has no sound ${issue.path.join('.') || 'shape'}`;
};
