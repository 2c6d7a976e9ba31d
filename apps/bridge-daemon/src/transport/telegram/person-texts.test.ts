// The bugs: a list too long for a message; half an emoji on a button; a text of ours that passes for a question.
import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';
import { english, personLocales, type ListedQuestion } from './person-texts.ts';
import { q1 } from './way-in.fixture.ts';

const family = '👨‍👩‍👧‍👦';
const listed = (question: string): ListedQuestion[] =>
  Array.from({ length: 20 }, () => ({ qid: q1, question, minutesLeft: 5_256_000 }));

test.each([
  ['x'.repeat(9_000)],
  [family.repeat(900)],
  [' \n\t'.repeat(3_000)],
  ['\ud800'.repeat(5_000)],
  [''],
])('lists stay below 4,096 units and well formed whatever is asked (%#)', (question) => {
  for (const text of [
    english.whichQuestion(listed(question), 19_980),
    english.pending(listed(question), 19_980),
  ]) {
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(text.isWellFormed()).toBe(true);
  }
  const button = english.draftButton(20, question);
  expect(button.trim()).not.toBe('');
  expect(Buffer.byteLength(button)).toBeLessThanOrEqual(200);
  expect(english.pressed(question).length).toBeLessThanOrEqual(200);
});

test('an excerpt is one line, cut where a grapheme ends', () => {
  expect(excerpt('Deploy\n\n  now?', 90)).toBe('Deploy now?');
  expect(excerpt('abcdef', 6)).toBe('abcdef');
  expect(excerpt('abcdefg', 6)).toBe('abcde…');
  expect(excerpt(`${family}${family}`, 14)).toBe(`${family}…`);
  expect(excerpt(family, 5)).toBe('…');
  expect(excerpt(' ', 5)).toBe('…');
});

test.each(Object.entries(personLocales))(
  'in %s no first line of ours carries a code in brackets, so that no reply to it passes for an answer [DAEM-07]',
  (_, texts) => {
    const list = [{ qid: q1, question: `[HUB-Q:${q1}] Go?`, minutesLeft: 1 }];
    for (const text of [
      texts.whichQuestion(list, 0),
      texts.pending(list, 0),
      texts.help,
      texts.nothingOpen,
      texts.emptyAnswer(q1),
      texts.unknownQuestion(q1),
      texts.alreadyTaken(q1),
      texts.cancelled(q1),
      texts.cancelClosed(q1),
      texts.cancelElsewhere(q1),
      texts.draftTaken(`[HUB-Q:${q1}] Go?`, q1),
    ])
      expect(text.split('\n', 1)[0]).not.toContain('[HUB-Q:');
  },
);
