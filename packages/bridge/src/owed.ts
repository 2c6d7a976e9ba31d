/**
 * What is still to be done for a question: the transactional outbox that stands in its record. It is written together
 * with the state that causes it, performed, and struck off; after a crash what is left is performed again.
 */
import * as z from 'zod';
import { logRecordSchema } from './log-record.ts';

/** `answered` is for channels that show the outcome in the question's own message: others have nothing to say. */
export const noteKinds = ['cancelled', 'timeout', 'late_answer', 'answered'] as const;
export type NoteKind = (typeof noteKinds)[number];

export const owedSchema = z.discriminatedUnion('do', [
  /** Put the question before the person. `attempt` above 1 is marked as a repeat; `started`: it may be under way. */
  z.object({ do: z.literal('deliver'), attempt: z.number().int().min(1), started: z.boolean() }),
  /** Send the outcome's envelope to the asker until it acks. */
  z.object({ do: z.literal('respond') }),
  z.object({ do: z.literal('note'), note: z.enum(noteKinds) }),
  /** Remove the answer file, if it still has these bytes. */
  z.object({ do: z.literal('remove_answer'), digest: z.string() }),
  /** Append this line to the contract log, unless it is there. */
  z.object({ do: z.literal('log'), line: logRecordSchema }),
]);
export type Owed = z.infer<typeof owedSchema>;

const key = (item: Owed): string => {
  if (item.do === 'note') return `note ${item.note}`;
  if (item.do === 'remove_answer') return `remove_answer ${item.digest}`;
  return item.do === 'log' ? `log ${JSON.stringify(item.line)}` : item.do;
};

/** Whether both are the same piece of work; attempts of a delivery are one. */
export const sameOwed = (one: Owed, other: Owed): boolean => key(one) === key(other);

/** `list` with `items` added at its end, each at most once; the same list where it has them all. */
export const owing = (list: Owed[], ...items: readonly Owed[]): Owed[] =>
  items.reduce((all, item) => (all.some((has) => sameOwed(has, item)) ? all : [...all, item]), list);

/** `list` without `item`; the same list where it has none. */
export const without = (list: Owed[], item: Owed): Owed[] =>
  list.some((has) => sameOwed(has, item)) ? list.filter((has) => !sameOwed(has, item)) : list;
