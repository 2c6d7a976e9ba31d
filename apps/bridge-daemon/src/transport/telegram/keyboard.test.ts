// The bug: a keyboard that Telegram refuses, and with it the question.
import { parseQid } from '@x/bridge';
import { expect, test } from 'vitest';
import { keyboardOf, optionToken } from './keyboard.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
const other = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0B');
if (qid === null || other === null) throw new Error('no qid');
const options = (count: number, title: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ title: title(index) }));

test('each option has a button with its number and title, and a token that says nothing [DAEM-06]', () => {
  const keyboard = keyboardOf(qid, [{ title: 'Yes\n now' }, { title: 'No', description: 'later' }]);
  expect(keyboard?.inline_keyboard).toEqual([
    [{ text: '1. Yes now', callback_data: optionToken(qid, 0) }],
    [{ text: '2. No', callback_data: optionToken(qid, 1) }],
  ]);
  expect(optionToken(qid, 0)).toMatch(/^[\w-]{16}$/);
});

test('no two buttons of two questions send the same', () => {
  const tokens = [qid, other].flatMap((of) =>
    Array.from({ length: 100 }, (_, index) => optionToken(of, index)),
  );
  expect(new Set(tokens).size).toBe(200);
});

test('a hundred options have buttons, a hundred and one have numbers only [DAEM-06]', () => {
  expect(
    keyboardOf(
      qid,
      options(100, (index) => `T${index}`),
    )?.inline_keyboard,
  ).toHaveLength(100);
  expect(
    keyboardOf(
      qid,
      options(101, (index) => `T${index}`),
    ),
  ).toBeNull();
  expect(keyboardOf(qid, [])).toBeNull();
});

test('a hundred long titles of wide characters stay within what Telegram takes, and none is halved', () => {
  const keyboard = keyboardOf(
    qid,
    options(100, () => '👨‍👩‍👧‍👦'.repeat(50)),
  );
  expect(Buffer.byteLength(JSON.stringify(keyboard))).toBeLessThan(10_000);
  const labels = keyboard?.inline_keyboard.flat().map(({ text }) => text) ?? [];
  for (const label of labels) expect(label).toMatch(/^\d+\. (?:👨‍👩‍👧‍👦)*…$/u);
});
