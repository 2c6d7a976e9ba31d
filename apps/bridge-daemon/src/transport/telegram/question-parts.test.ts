// The bugs: half a character at a cut, an endless loop on one long word, white space lost at the edge of a message, an
// option on which nobody can press because it stands in no part whole.
import { parseQid, type Question } from '@x/bridge';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PutQuestion } from '../question-transport.ts';
import { questionParts, withOutcome } from './question-parts.ts';

const full = process.env['FULL'] === '1';
const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (qid === null) throw new Error('no qid');
const reply = `↩ Reply to this message, or type: HUB-Q:${qid}: <answer>`;

const put = (question: Question, more: Partial<PutQuestion> = {}): PutQuestion => ({
  qid,
  question,
  project: 'default',
  repeat: false,
  timeoutMs: 1_000,
  ...more,
});
const asked = (question: string, more: Partial<Question> = {}): PutQuestion =>
  put({ question, options: [], ...more });

const texts = (given: PutQuestion): readonly string[] => {
  const made = questionParts(given);
  if (made.code !== 'parts') throw new Error(made.message);
  return made.texts;
};

/** What of each part is the question's own, laid side by side: heads and last lines are taken off by their words. */
const joined = (parts: readonly string[]): string =>
  parts
    .map((part, index) => {
      const head = new RegExp(`^❓ \\[HUB-Q:${qid}\\] (?:\\(repeat\\) )?\\(${index + 1}/${parts.length}\\) `);
      const body = part.replace(head, '');
      if (body === part) throw new Error(`part ${index + 1} has no head: ${part.slice(0, 60)}`);
      const end = index === parts.length - 1 ? `\n\n${reply}` : '\n⤵ continued in the next message';
      if (!body.endsWith(end))
        throw new Error(`part ${index + 1} ends in ${JSON.stringify(body.slice(-60))}`);
      return body.slice(0, -end.length);
    })
    .join('');

const expectSendable = (parts: readonly string[]): void => {
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(4096);
    expect(part.isWellFormed()).toBe(true);
    expect(part.trim()).toBe(part);
  }
};

const head = `❓ [HUB-Q:${qid}] `.length;
const room = 4096 - head - `\n\n${reply}`.length;

test('a question that fits is one message, to its last unit, and one unit more is two [DAEM-06]', () => {
  const fits = texts(asked('x'.repeat(room)));
  expect(fits).toHaveLength(1);
  expect(fits[0]).toHaveLength(4096);
  expect(texts(asked('x'.repeat(room - 1)))).toHaveLength(1);
  const over = texts(asked('x'.repeat(room + 1)));
  expect(over).toHaveLength(2);
  expect(joined(over)).toBe('x'.repeat(room + 1));
});

test('a repeat of a message that is full says so in one message [DAEM-12]', () => {
  const [text = '', ...more] = texts({ ...asked('x'.repeat(room)), repeat: true });
  expect(more).toEqual([]);
  expect(text.startsWith(`❓ [HUB-Q:${qid}] (repeat) xxx`)).toBe(true);
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text).toContain(`HUB-Q:${qid}: <answer>`);
});

test.each([
  ['one word of 5,000 characters', 'w'.repeat(5_000)],
  ['2,048 emoji', '🙂'.repeat(2_048)],
  ['2,049 emoji', '🙂'.repeat(2_049)],
  ['an emoji across the cut', `x${'🙂'.repeat(4_000)}`],
  ['families across the cut', '👨‍👩‍👧‍👦'.repeat(900)],
  ['flags across the cut', `a${'🇺🇦'.repeat(2_500)}`],
  ['white space alone', ' \n\t'.repeat(3_000)],
  ['words with line feeds at every cut', 'word \n\n '.repeat(2_000)],
  ['one grapheme larger than a message', `e${'\u0301'.repeat(9_000)}`],
  ['one grapheme of pairs larger than a message', '👍🏽\u200D'.repeat(2_000)],
])('%s is sent whole, character for character, with nothing halved [DAEM-06]', (_, question) => {
  const parts = texts(asked(question));
  expectSendable(parts);
  expect(joined(parts)).toBe(question);
});

test('no flag, family or accent is halved at a cut [DAEM-06]', () => {
  for (const grapheme of ['🇺🇦', '👨‍👩‍👧‍👦', 'e\u0301', '\r\n'])
    for (let shift = 0; shift < 12; shift += 1)
      for (const part of texts(asked('x'.repeat(shift) + grapheme.repeat(2_100))).slice(0, -1)) {
        const body = part.slice(part.indexOf(') ') + 2, part.lastIndexOf('\n'));
        expect(body.replace(/^x+/, '').length % grapheme.length).toBe(0);
      }
});

test('a lone surrogate becomes a sign that can be sent', () => {
  expect(texts(asked('a\uD83Db'))[0]).toContain('a\uFFFDb');
});

test('a text is cut after white space where there is some near [DAEM-06]', () => {
  const [first = ''] = texts(asked('seven77 '.repeat(1_000)));
  expect(first).toMatch(/seven77 \n⤵ continued in the next message$/);
});

test('options stand whole in the last part, below what is left of the text [DAEM-06]', () => {
  const options = Array.from({ length: 20 }, (_, index) => ({
    title: `T${index}`,
    description: 'd'.repeat(100),
  }));
  const parts = texts(asked('q '.repeat(4_000), { options, context: 'c '.repeat(3_000) }));
  expectSendable(parts);
  const last = parts.at(-1) ?? '';
  options.forEach(({ title, description }, index) =>
    expect(last).toContain(`\n${index + 1}. ${title} — ${description}`),
  );
  for (const part of parts.slice(0, -1)) expect(part).not.toContain('Options:');
  expect(joined(parts)).toContain(`\n\nContext: ${'c '.repeat(3_000)}\n\nOptions:\n1. T0`);
});

test('300 options fill several parts, each option’s line whole in one [DAEM-06]', () => {
  const options = Array.from({ length: 300 }, (_, index) => ({ title: `Title ${index} ${'t'.repeat(40)}` }));
  const parts = texts(asked('Which?', { options }));
  expectSendable(parts);
  expect(parts.length).toBeGreaterThan(3);
  options.forEach(({ title }, index) => {
    const line = `\n${index + 1}. ${title}\n`;
    expect(parts.filter((part) => part.includes(line))).toHaveLength(1);
  });
});

test('a title longer than a message is refused, naming it and by how much [DAEM-06]', () => {
  const options = [{ title: 'fine' }, { title: 't'.repeat(4_100) }];
  const made = questionParts(asked('q', { options }));
  expect(made).toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/^the title of option 2 is too long for one message by \d+ UTF-16/),
  });
});

test('a repeat is cut as the first sending was [DAEM-12]', () => {
  const question = asked('word '.repeat(3_000), { options: [{ title: 'Yes' }] });
  const first = texts(question);
  const second = texts({ ...question, repeat: true });
  expect(second).toEqual(first.map((part) => part.replace('] (', '] (repeat) (')));
  expectSendable(second);
});

test('whatever is asked comes out whole, in parts that can be sent [DAEM-06]', () => {
  const chunk = fc.constantFrom(
    ' ',
    '\n',
    'a',
    'їжак',
    '🙂',
    '👨‍👩‍👧‍👦',
    '🇺🇦',
    'e\u0301',
    'long'.repeat(300),
    '\t\t',
  );
  const text = fc.array(chunk, { maxLength: 60 }).map((chunks) => chunks.join(''));
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 30 }), (question, context, titles) => {
      const options = titles.map((title, index) => ({
        title: title.slice(0, 900).toWellFormed(),
        description: titles[index + 1] ?? '',
      }));
      const parts = texts(asked(question, { context, options }));
      expectSendable(parts);
      const whole = [
        question,
        ...(context === '' ? [] : [`Context: ${context}`]),
        ...(options.length === 0
          ? []
          : [
              [
                'Options:',
                ...options.map(({ title, description }, index) => `${index + 1}. ${title} — ${description}`),
              ].join('\n'),
            ]),
      ].join('\n\n');
      if (parts.length > 1) expect(joined(parts)).toBe(whole);
      else expect(parts[0]).toBe(`❓ [HUB-Q:${qid}] ${whole}\n\n${reply}`);
    }),
    { numRuns: full ? 3_000 : 100, seed: 6 },
  );
});

test('an outcome takes the place of the reply line in the last part, and is cut to fit [DAEM-09]', () => {
  const one = asked('Go?', { options: [{ title: 'Yes' }] });
  expect(withOutcome(one, '✅ Answered by telegram:ann: Yes')).toBe(
    `❓ [HUB-Q:${qid}] Go?\n\nOptions:\n1. Yes\n\n✅ Answered by telegram:ann: Yes`,
  );
  const many = asked('word '.repeat(2_000));
  const shown = withOutcome(many, `✅ ${'a'.repeat(5_000)}`) ?? '';
  expect(shown.length).toBeLessThanOrEqual(4096);
  expect(shown.startsWith(`❓ [HUB-Q:${qid}] (3/3) `)).toBe(true);
  expect(shown).toMatch(/\n\n✅ a+…$/);
  expect(shown).not.toContain('↩');
});
