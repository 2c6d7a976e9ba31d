/** The bug these exist to catch: text that merely looks like JSON taken for a question, or a question for text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPromptText, writeQuestion } from './question.ts';

test('a structured question with options of both forms is read [COMS-07]', () => {
  const text =
    '{"question":"Go?","context":"c","options":["yes",{"title":"no","description":"stay"},{"title":"later","x":1}]}';
  expect(readPromptText(text)).toEqual({
    kind: 'question',
    question: {
      question: 'Go?',
      context: 'c',
      options: [{ title: 'yes' }, { title: 'no', description: 'stay' }, { title: 'later' }],
    },
  });
});

test('a question alone has no options and no context [COMS-07]', () => {
  expect(readPromptText(' {"question":"Go?"} ')).toEqual({
    kind: 'question',
    question: { question: 'Go?', options: [] },
  });
});

test('anything else is plain text, untouched [COMS-07]', () => {
  for (const text of [
    '',
    'Go?',
    '{',
    '{}',
    '[]',
    'null',
    '{"question":5}',
    '{"question":"x","options":"y"}',
    '{"question":"x","options":[1]}',
    '{"question":"x","context":[]}',
    '"{}"',
  ]) {
    expect(readPromptText(text)).toEqual({ kind: 'text', text });
  }
});

test('what is written is read back the same', () => {
  const option = fc.record({ title: fc.string(), description: fc.string() }, { requiredKeys: ['title'] });
  const question = fc.record(
    { question: fc.string(), context: fc.string(), options: fc.array(option, { maxLength: 4 }) },
    { requiredKeys: ['question', 'options'] },
  );
  fc.assert(
    fc.property(question, (each) => {
      expect(readPromptText(writeQuestion(each))).toEqual({ kind: 'question', question: { ...each } });
    }),
    { seed: 4, numRuns: 200 },
  );
});
