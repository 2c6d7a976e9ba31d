// The bugs: a question asked a third time after a second kill, a button that means nothing after a restart, one damaged
// file that keeps the daemon from starting.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid, type Qid } from '@x/bridge';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { optionToken } from './keyboard.ts';
import { openQuestionBook, type SentBook } from './question-book.ts';

const qidOf = (text: string): Qid => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};
const qid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
const other = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0B');
const sending = { part: 1, parts: 1, repeat: false, chat: 42, topic: null };
let folder: string;
let reported: string[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'bd-book-')), 'telegram');
  reported = [];
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const open = (now: () => number = Date.now): SentBook =>
  openQuestionBook({
    folder,
    now,
    log: pino({ level: 'error' }, { write: (line) => void reported.push(line) }),
  });
const fileOf = (of: Qid): string => join(folder, 'sent', `${of}.json`);

test('a sending is in the book before it begins, and a kill leaves it there as unknown [DAEM-12]', () => {
  open().begin(qid, 2, sending);
  const after = open();
  expect(after.sendings(qid)).toMatchObject([{ ...sending, message_id: null }]);
  expect(after.sendings(other)).toEqual([]);
  expect(statSync(fileOf(qid)).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'sent')).mode & 0o777).toBe(0o700);
});

test('a message of ours tells its question after a restart, per chat, for ids coincide [DAEM-07]', () => {
  const book = open();
  book.confirm(qid, book.begin(qid, 0, sending), { chat: 42, messageId: 7 });
  book.confirm(other, book.begin(other, 0, { ...sending, chat: 43 }), { chat: 43, messageId: 7 });
  for (const known of [book, open()]) {
    expect(known.qidOf(42, 7)).toBe(qid);
    expect(known.qidOf(43, 7)).toBe(other);
    expect(known.qidOf(42, 8)).toBeNull();
  }
});

test('a button tells its option after a restart, also under a copy that nobody knows of [DAEM-06]', () => {
  open().begin(qid, 2, sending);
  const book = open();
  expect(book.optionOf(optionToken(qid, 1))).toEqual({ qid, index: 1 });
  expect(book.optionOf(optionToken(qid, 2))).toBeNull();
  expect(book.optionOf('x')).toBeNull();
});

test('a copy of unknown fate under which somebody answers is known from then on [DAEM-09]', () => {
  const book = open();
  book.begin(qid, 2, sending);
  book.confirm(qid, book.begin(qid, 2, { ...sending, repeat: true }), { chat: 42, messageId: 8 });
  book.met(qid, { chat: 42, messageId: 8 }, true);
  expect(book.sendings(qid).map(({ message_id }) => message_id)).toEqual([null, 8]);
  book.met(qid, { chat: 42, messageId: 7 }, false);
  book.met(qid, { chat: 42, messageId: 9 }, true);
  for (const known of [book, open()])
    expect(known.sendings(qid).map(({ message_id }) => message_id)).toEqual([7, 8]);
  // Of several parts a reply may be to any.
  book.begin(other, 1, { ...sending, part: 2, parts: 2 });
  book.met(other, { chat: 42, messageId: 10 }, false);
  expect(book.qidOf(42, 10)).toBeNull();
  book.met(other, { chat: 42, messageId: 10 }, true);
  expect(book.qidOf(42, 10)).toBe(other);
});

test('what surely was not sent is taken out, and the other sendings stay', () => {
  const book = open();
  book.confirm(qid, book.begin(qid, 0, sending), { chat: 42, messageId: 7 });
  book.drop(qid, book.begin(qid, 0, { ...sending, repeat: true }));
  for (const known of [book, open()])
    expect(known.sendings(qid)).toMatchObject([{ repeat: false, message_id: 7 }]);
});

test('a group that moved is followed after a restart, over several moves, and a circle ends', async () => {
  const book = open();
  await book.moved(1, 2);
  await book.moved(2, 3);
  expect(open().currentChat(1)).toBe(3);
  expect(open().currentChat(9)).toBe(9);
  await book.moved(3, 1);
  expect([1, 2, 3]).toContain(open().currentChat(1));
});

test('a move that could not be stored is followed all the same, and stored when it is told again', async () => {
  const book = open();
  rmSync(folder, { recursive: true });
  await expect(book.moved(1, 2)).rejects.toThrow('ENOENT');
  expect(book.currentChat(1)).toBe(2);
  mkdirSync(folder);
  await book.moved(1, 2);
  expect(open().currentChat(1)).toBe(2);
});

test('a damaged file is set aside and said once, and the rest is read', () => {
  const book = open();
  book.begin(qid, 1, sending);
  book.begin(other, 1, sending);
  truncateSync(fileOf(qid), 20);
  writeFileSync(join(folder, 'moved.json'), '{"v":1,"moved":{"1":"x"}}');
  const after = open();
  expect(after.sendings(qid)).toEqual([]);
  expect(after.sendings(other)).toHaveLength(1);
  expect(reported).toHaveLength(2);
  expect(existsSync(`${fileOf(qid)}.damaged`)).toBe(true);
  open();
  expect(reported).toHaveLength(2);
});

test('what a kill left of a write is removed, and what it replaced still counts', () => {
  open().begin(qid, 1, sending);
  writeFileSync(`${fileOf(qid)}.new`, '{"v":1');
  expect(open().sendings(qid)).toHaveLength(1);
  expect(readdirSync(join(folder, 'sent'))).toEqual([`${qid}.json`]);
});

test('what cannot be stored is not begun', () => {
  const book = open();
  rmSync(folder, { recursive: true });
  expect(() => book.begin(qid, 1, sending)).toThrow('ENOENT');
  expect(book.sendings(qid)).toEqual([]);
});

test('after 30 days a question is forgotten, unless it is open', () => {
  const past = open(() => Date.parse('2026-01-01T00:00:00Z'));
  for (const of of [qid, other])
    past.confirm(of, past.begin(of, 1, sending), { chat: 42, messageId: of === qid ? 7 : 8 });
  const book = open(() => Date.parse('2026-02-01T00:00:00Z'));
  book.prune((of) => of === other);
  expect(book.qidOf(42, 7)).toBeNull();
  expect(book.optionOf(optionToken(qid, 0))).toBeNull();
  expect(book.qidOf(42, 8)).toBe(other);
  expect(readdirSync(join(folder, 'sent'))).toEqual([`${other}.json`]);
});
