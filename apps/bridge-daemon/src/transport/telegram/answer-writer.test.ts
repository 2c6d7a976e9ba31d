// The bugs: an answer written over another one; half an answer seen by the bridge; a link followed out of the folder.
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerBytes, createAnswerWriter, type AnswerWriter } from './answer-writer.ts';
import { q1 } from './way-in.fixture.ts';

let root = '';
let questionsDir = '';
let preparedDir = '';
let path = '';
let writer: AnswerWriter;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-writer-'));
  questionsDir = join(root, 'questions');
  preparedDir = join(root, 'prepared');
  path = join(questionsDir, `${q1}.answer.json`);
  mkdirSync(questionsDir);
  mkdirSync(preparedDir);
  writer = createAnswerWriter({ questionsDir, preparedDir });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const answer = {
  qid: q1,
  answer: 'їжак 🙂',
  answeredBy: 'telegram:ann',
  at: '2026-11-30T10:00:00.000Z',
  replaces: [],
};
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test('an answer lies in the questions folder as a liaison would have written it [DAEM-06]', async () => {
  const bytes = `{"qid":"${q1}","answer":"їжак 🙂","answered_by":"telegram:ann","at":"2026-11-30T10:00:00.000Z"}\n`;
  expect(await writer.write(answer)).toEqual({ code: 'written', digest: digestOf(bytes) });
  expect(readFileSync(path, 'utf8')).toBe(bytes);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(path).nlink).toBe(1);
  expect(readdirSync(questionsDir)).toEqual([`${q1}.answer.json`]);
  expect(readdirSync(preparedDir)).toEqual([]);
});

test('the same answer again is as good as written, and touches nothing', async () => {
  await writer.write(answer);
  const before = statSync(path);
  expect(await writer.write(answer)).toMatchObject({ code: 'written' });
  expect(statSync(path).ino).toBe(before.ino);
});

test('another answer that waits there stays: the first one counts', async () => {
  writeFileSync(path, 'the first');
  expect(await writer.write(answer)).toEqual({ code: 'occupied' });
  expect(readFileSync(path, 'utf8')).toBe('the first');
  expect(readdirSync(preparedDir)).toEqual([]);
});

test('an earlier version of the same answer is replaced', async () => {
  const first = await writer.write(answer);
  if (first.code !== 'written') throw new Error('not written');
  const edited = { ...answer, answer: 'no', replaces: [first.digest] };
  expect(await writer.write(edited)).toMatchObject({ code: 'written' });
  expect(readFileSync(path, 'utf8')).toBe(answerBytes(edited));
  expect(readdirSync(preparedDir)).toEqual([]);
});

test('a link or a folder under the name is neither followed nor replaced', async () => {
  writeFileSync(join(root, 'other'), 'theirs');
  symlinkSync(join(root, 'other'), path);
  expect(await writer.write(answer)).toEqual({ code: 'occupied' });
  expect(readFileSync(join(root, 'other'), 'utf8')).toBe('theirs');
  rmSync(path);
  mkdirSync(path);
  expect(await writer.write(answer)).toEqual({ code: 'occupied' });
});

test('a disk that refuses is told, and leaves nothing behind', async () => {
  rmSync(questionsDir, { recursive: true });
  await expect(writer.write(answer)).rejects.toThrow('ENOENT');
  expect(readdirSync(preparedDir)).toEqual([]);
});

test('what a kill left of a writing is removed at the next start', async () => {
  writeFileSync(join(preparedDir, `${q1}.answer.json`), '{"half');
  await writer.sweep();
  expect(readdirSync(preparedDir)).toEqual([]);
});
