// Catches a message that Telegram refuses, half a character, and a reply line that was cut away.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQid } from './qid.ts';
import { formatTelegramQuestion, titlesTooLongError, type QuestionMessage } from './question-text.ts';
import vectors from './vectors/telegram-questions.json' with { type: 'json' };

const full = process.env['FULL'] === '1';

const qidOf = (text: string) => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};
const qid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');

const textOf = (message: Omit<QuestionMessage, 'qid'>): string => {
  const made = formatTelegramQuestion({ qid, ...message });
  if (made.code !== 'text') throw new Error(made.code);
  return made.text;
};

test('every vector of the question text comes out byte for byte [BRID-05 BRID-06 BRID-07]', () => {
  expect(vectors.length).toBe(7);
  for (const { id, in: message, out } of vectors) {
    const options = message.options?.map((option) => ({
      title: option.title,
      ...('description' in option && option.description !== undefined
        ? { description: option.description }
        : {}),
    }));
    const { qid: of, question, context } = message;
    const made = formatTelegramQuestion({
      qid: qidOf(of),
      question,
      ...(context === undefined ? {} : { context }),
      ...(options === undefined ? {} : { options }),
    });
    expect(made, id).toEqual({ code: 'text', text: out });
  }
});

test('a project other than default is a block of its own right after the question [DAEM-02]', () => {
  expect(textOf({ question: 'Go?', context: 'c', options: [{ title: 'Yes' }], project: 'docs' })).toBe(
    '❓ [HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A] Go?\n\n📁 Project: docs\n\nContext: c\n\nOptions:\n1. Yes\n\n' +
      '↩ Reply to this message, or type: HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A: <answer>',
  );
  expect(textOf({ question: 'Go?', project: 'default' })).not.toContain('📁');
});

test('a repeat says so right after the header bracket [DAEM-12]', () => {
  expect(textOf({ question: 'Go?', repeat: true })).toContain(
    '❓ [HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A] (repeat) Go?\n\n',
  );
});

test('a message of 4,096 units stays whole and one unit more loses its context first [BRID-06 BRID-07]', () => {
  const options = [{ title: 'Yes', description: 'at once' }];
  const bare = textOf({ question: 'Go?', options }).length;
  const room = 4096 - bare - '\n\nContext: '.length;
  const whole = textOf({ question: 'Go?', options, context: 'x'.repeat(room) });
  expect(whole.length).toBe(4096);
  expect(whole).not.toContain('…');
  const cut = textOf({ question: 'Go?', options, context: 'x'.repeat(room + 1) });
  expect(cut.length).toBe(4096);
  expect(cut).toContain(`${'x'.repeat(room - 1)}…\n\nOptions:\n1. Yes — at once\n\n↩`);
});

test('descriptions give way before the question, all to one length, and titles stay whole [DAEM-01]', () => {
  const options = [
    { title: 'short one', description: 'kept' },
    { title: 'long one', description: 'a'.repeat(4000) },
    { title: 'other long one', description: 'b'.repeat(4000) },
  ];
  const question = 'Which of these three?';
  const text = textOf({ question, options, context: 'gone' });
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text.length).toBeGreaterThan(4096 - options.length);
  expect(text).toContain(question);
  expect(text).not.toContain('gone');
  expect(text).toContain('1. short one — kept\n2. long one — aaa');
  const lengths = [...text.matchAll(/(a+|b+)…\n/g)].map(([run]) => run.length);
  expect(lengths).toHaveLength(2);
  expect(lengths[0]).toBe(lengths[1]);
});

test('the question is cut only when no description is left, and 300 titles survive whole [DAEM-01]', () => {
  const options = Array.from({ length: 300 }, (_, at) => ({ title: `t${at}`, description: 'd'.repeat(40) }));
  const text = textOf({ question: 'q'.repeat(5000), options });
  expect(text.length).toBe(4096);
  expect(text).not.toContain(' — ');
  expect(text).toContain('q…\n\nOptions:\n1. t0\n');
  for (const [at, { title }] of options.entries()) expect(text).toContain(`\n${at + 1}. ${title}\n`);
  expect(text.endsWith('type: HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A: <answer>')).toBe(true);
});

test('titles that alone are too long are refused with their exact excess [DAEM-01]', () => {
  const title = (units: number) => [{ title: 't'.repeat(units) }];
  const fixed = textOf({ question: 'q', options: title(1) }).length - 1;
  expect(formatTelegramQuestion({ qid, question: 'q', options: title(4096 - fixed) }).code).toBe('text');
  expect(formatTelegramQuestion({ qid, question: 'q', options: title(4096 - fixed + 7) })).toEqual({
    code: 'titles_too_long',
    excessUnits: 7,
  });
  expect(titlesTooLongError(7)).toContain('by 7');
});

test.each([
  ['emoji', '🙂', 3],
  ['a family', '👨‍👩‍👧‍👦', 11],
  ['flags', '🇺🇦', 5],
  ['a letter with accents', 'e\u0301\u0323', 2],
  ['one 5,000-character word', 'x', 1],
])('%s at the cut are never halved [DAEM-01]', (_what, grapheme, offsets) => {
  for (let offset = 0; offset <= offsets; offset += 1) {
    const question = 'a'.repeat(offset) + grapheme.repeat(Math.ceil(5000 / grapheme.length));
    const text = textOf({ question });
    expect(text.length).toBeLessThanOrEqual(4096);
    expect(text.length).toBeGreaterThan(4096 - grapheme.length);
    const shown = text.slice(text.indexOf('] ') + 2, text.indexOf('…\n\n↩'));
    expect(shown.slice(offset).replaceAll(grapheme, '')).toBe('');
  }
});

test('one grapheme longer than a message ends in the mark alone, without an endless loop [DAEM-01]', () => {
  expect(textOf({ question: `e${'\u0301'.repeat(9000)}` })).toContain('] …\n\n↩');
});

test('a lone surrogate never reaches the person [DAEM-01]', () => {
  const text = textOf({ question: 'a\uD800b', context: '\uDC00', options: [{ title: '\uD83D' }] });
  expect(text).toContain('a\uFFFDb');
  expect(text).not.toMatch(/\p{Surrogate}/u);
});

test('whatever is asked, the message fits and keeps header, titles and reply line [BRID-06 DAEM-01]', () => {
  const unit = fc.constantFrom('a', ' ', '\n', '🙂', '👨‍👩‍👧‍👦', '\uD800', 'é', '…', '" — ');
  const text = fc.string({ unit, maxLength: 3000 });
  const option = fc.record(
    { title: fc.string({ maxLength: 30 }), description: text },
    { requiredKeys: ['title'] },
  );
  const message = fc.record(
    { question: text, context: text, options: fc.array(option, { maxLength: 12 }) },
    { requiredKeys: ['question'] },
  );
  const lone = /\p{Surrogate}/gu;
  fc.assert(
    fc.property(message, (given) => {
      const made = formatTelegramQuestion({ qid, ...given });
      if (made.code !== 'text') throw new Error('small titles always fit');
      expect(made.text.length).toBeLessThanOrEqual(4096);
      expect(made.text).not.toMatch(lone);
      expect(made.text.startsWith(`❓ [HUB-Q:${qid}] `)).toBe(true);
      expect(made.text.endsWith(`HUB-Q:${qid}: <answer>`)).toBe(true);
      for (const [at, { title }] of (given.options ?? []).entries())
        expect(made.text).toContain(`\n${at + 1}. ${title.replace(lone, '\uFFFD')}`);
    }),
    { numRuns: full ? 3_000 : 60, seed: 5 },
  );
});
