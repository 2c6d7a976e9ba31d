// Catches an answer taken for the wrong question, an answer thrown away too early, and a file opened that must not be.
import { expect, test } from 'vitest';
import { judgeAnswerFile, rejectionReasons, type AnswerCandidate, type Standing } from './answer-file.ts';

const qid = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';
const other = '01J9ZQ4V7N3K8M2R5T6W8X9Y0B';
const name = `${qid}.answer.json`;
const good = { qid, answer: 'yes', answered_by: 'telegram:ann', at: '2026-11-30T10:00:00Z' };

const candidate = (body: unknown, more: Partial<AnswerCandidate> = {}): AnswerCandidate => ({
  name,
  entry: 'file',
  standing: 'ours',
  content: { kind: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) },
  ...more,
});
const reason = (given: AnswerCandidate) => {
  const verdict = judgeAnswerFile(given);
  return verdict.code === 'rejected'
    ? `${verdict.reason}${verdict.graced ? ' after grace' : ''}`
    : verdict.code;
};

test('a file that keeps every rule is accepted with its fields as they are [BRID-08]', () => {
  expect(judgeAnswerFile(candidate(good))).toEqual({ code: 'accepted', qid, answer: good });
  expect(reason(candidate({ ...good, answered_by: 'console' })), 'any non-empty answered_by').toBe(
    'accepted',
  );
  expect(reason(candidate({ ...good, extra: 1 })), 'unknown fields').toBe('accepted');
  expect(reason(candidate(`\uFEFF${JSON.stringify(good)}`)), 'a byte order mark is skipped').toBe('accepted');
  expect(reason(candidate({ ...good, answer: '' })), 'an empty answer is one').toBe('accepted');
  expect(reason(candidate({ ...good, at: '2026-11-30T10:00:00.123456+02:00' })), 'as Python writes it').toBe(
    'accepted',
  );
});

test('a name without the suffix is an invalid path, only after the grace window [BRID-10]', () => {
  for (const wrong of [
    `${qid}.answer.json.tmp`,
    `.${qid}.answer.json.1`,
    'notes',
    `${qid}.json`,
    `${qid}.ANSWER.JSON`,
  ])
    expect(reason(candidate(good, { name: wrong })), wrong).toBe('invalid_path after grace');
});

test('what is no regular file of ours is an invalid path at once and is never read [DAEM-15]', () => {
  expect(judgeAnswerFile({ name, entry: 'other' })).toMatchObject({
    code: 'rejected',
    reason: 'invalid_path',
    graced: false,
  });
});

test('a name without a valid qid is rejected before anything is read [BRID-11]', () => {
  for (const bad of ['x', qid.toLowerCase(), `${qid}A`, `${qid}\n`, `../${qid}`, ''])
    expect(judgeAnswerFile({ name: `${bad}.answer.json`, entry: 'file' }), bad).toMatchObject({
      reason: 'invalid_qid',
      graced: false,
    });
});

test('nobody’s question is foreign, another daemon’s is left alone, and neither file is read [BRID-12 DAEM-14]', () => {
  const standing = (given: Standing) => judgeAnswerFile({ name, entry: 'file', standing: given });
  expect(standing('nobody')).toMatchObject({ reason: 'foreign_qid', graced: false });
  expect(standing('elsewhere')).toEqual({ code: 'left_alone', qid });
  expect(standing('ours')).toEqual({ code: 'needs', fact: 'content', qid });
  expect(judgeAnswerFile({ name, entry: 'file' })).toEqual({ code: 'needs', fact: 'standing', qid });
});

test('what does not parse may be half-written and gets the grace window [BRID-13]', () => {
  const text = JSON.stringify(good);
  for (let at = 0; at < text.length; at += 1)
    expect(reason(candidate(text.slice(0, at))), text.slice(0, at)).toBe('invalid_json after grace');
});

test('fields that do not match, no timestamp, not UTF-8 and too large are an invalid schema [BRID-14 DAEM-15]', () => {
  const { at: _at, ...undated } = good;
  const bad: unknown[] = [
    undated,
    { ...good, at: 'yesterday' },
    { ...good, at: 5 },
    { ...good, answer: 1 },
    { ...good, answer: null },
    { ...good, answered_by: '' },
    { ...good, qid: 'x' },
    [],
    [good],
    null,
    42,
    '"text"',
    {},
  ];
  for (const body of bad) expect(reason(candidate(body)), JSON.stringify(body)).toBe('invalid_schema');
  expect(reason(candidate('', { content: { kind: 'too_large' } }))).toBe('invalid_schema');
  expect(reason(candidate('', { content: { kind: 'not_utf8', cutAtEnd: false } }))).toBe('invalid_schema');
  expect(reason(candidate('', { content: { kind: 'not_utf8', cutAtEnd: true } }))).toBe(
    'invalid_schema after grace',
  );
});

test('a body for another question is a mismatch, and of several reasons the first in order is given [BRID-15]', () => {
  expect(rejectionReasons).toEqual([
    'invalid_path',
    'invalid_qid',
    'foreign_qid',
    'invalid_json',
    'invalid_schema',
    'qid_mismatch',
  ]);
  const mismatched = { ...good, qid: other };
  expect(reason(candidate(mismatched))).toBe('qid_mismatch');
  expect(reason(candidate({ ...mismatched, at: 'never' }))).toBe('invalid_schema');
  expect(reason(candidate('{', { standing: 'nobody' }))).toBe('foreign_qid');
  expect(reason(candidate('{', { standing: 'nobody', name: 'x.answer.json' }))).toBe('invalid_qid');
  expect(reason(candidate('{', { standing: 'nobody', name: 'x.answer.json', entry: 'other' }))).toBe(
    'invalid_path',
  );
});
