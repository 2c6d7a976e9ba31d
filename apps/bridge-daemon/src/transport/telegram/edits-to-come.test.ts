// Catches an edit that comes together with its message, as after an outage, and is told that it comes too late.
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';
import { editsToCome } from './edits-to-come.ts';

// Only chat and id of a message are looked at.
const said = (chat: number, message_id: number): Update =>
  ({ update_id: 1, message: { chat: { id: chat }, message_id } }) as Update;
const edited = (chat: number, message_id: number): Update =>
  ({ update_id: 2, edited_message: { chat: { id: chat }, message_id } }) as Update;
const shapeless = { update_id: 1, message: {} } as Update;
const shapelessEdit = JSON.parse('{"update_id":2,"edited_message":null}') as Update;

test.each([
  ['a message and its edit, the message handled', [said(1, 5), edited(1, 5)], 1, true],
  ['both handled', [said(1, 5), edited(1, 5)], 2, false],
  ['with another message between', [said(1, 5), said(1, 6), edited(1, 5)], 2, true],
  ['an edit of a message that came in an earlier poll', [said(1, 5), edited(1, 4)], 1, false],
  ['the same id in another chat', [said(1, 5), edited(2, 5)], 1, false],
  ['a message that is still to come itself', [said(1, 4), said(1, 5), edited(1, 5)], 1, false],
  ['what is no message', [shapeless, said(1, 5), shapelessEdit, edited(1, 5)], 2, true],
  ['nothing', [], 0, false],
])('%s', (_, updates, handled, expected) => {
  expect(editsToCome(updates, handled)).toBe(expected);
});
