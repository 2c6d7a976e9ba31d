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

test('every language has every text, and its cut mark is one code unit [DAEM-02]', () => {
  for (const texts of Object.values<Texts>(locales)) {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    expect(texts.cutMark).toHaveLength(1);
  }
});
