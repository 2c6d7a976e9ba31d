import { expect, test } from 'vitest';
import { parseQid } from './qid.ts';
import { english, locales, type Texts } from './texts.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');

test('the notes read as specified, character for character [BRID-21 BRID-23 BRID-25]', () => {
  if (qid === null) throw new Error('no qid');
  expect(english.cancelledNote(qid)).toBe(
    '✖ [HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A] The question was cancelled — it was answered from the console.',
  );
  expect(english.timeoutNote(qid, 1500)).toBe(
    '⌛ [HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A] The question timed out after 1500ms.',
  );
  expect(english.lateAnswerNote(qid)).toBe(
    'ℹ [HUB-Q:01J9ZQ4V7N3K8M2R5T6W8X9Y0A] This question is already closed; the late answer was ignored.',
  );
});

test('the lines that show an outcome say who and what [DAEM-09]', () => {
  expect(english.answeredLine('telegram:ann', 'Yes')).toBe('✅ Answered by telegram:ann: Yes');
  expect(english.cancelledLine(null)).toBe('✖ Cancelled — it was answered from the console.');
  expect(english.cancelledLine('telegram:ann')).toBe('✖ Cancelled by telegram:ann.');
  expect(english.timeoutLine(1500)).toBe('⌛ Timed out after 1500ms.');
});

test('every language has every text, and its cut mark is one code unit [DAEM-02]', () => {
  for (const texts of Object.values<Texts>(locales)) {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    expect(texts.cutMark).toHaveLength(1);
    if (qid === null) throw new Error('no qid');
    // Otherwise a repeat of a message that is full to its last unit would not fit.
    const saved = texts.replyLine(qid).length - texts.shortReplyLine(qid).length;
    expect(saved).toBeGreaterThan(texts.repeatMark.length);
  }
});
