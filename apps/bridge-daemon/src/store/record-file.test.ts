// Catches a record that a kill or a power cut in the middle of an overwriting leaves half old and half new.
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid, readRecord, recordText, step, type QuestionRecord } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { amendRecord, layRecord, sectorBytes } from './record-file.ts';

let root = '';
let path = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-file-'));
  path = join(root, 'a.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const asked = (question: string): QuestionRecord => {
  const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
  if (qid === null) throw new Error('no qid');
  const { record } = step(
    null,
    {
      event: 'question_received',
      asked: {
        qid,
        daemon: { name: 'user-remote', project: 'default', coms_dir: '/c' },
        asker: { name: 'a', cwd: '/', project: 'default', session: null, endpoint: '/e', hops: 0 },
        prompt_digest: 'd',
        question: { question, options: [] },
        timeout_ms: 1_000,
      },
    },
    0,
  );
  if (record === null) throw new Error('no record');
  return record;
};
/** As the daemon holds it when its log lines are written. */
const logged = (record: QuestionRecord): QuestionRecord => ({
  ...record,
  owed: record.owed.filter((item) => item.do !== 'log'),
});
const next = (record: QuestionRecord, input: Parameters<typeof step>[1]): QuestionRecord =>
  step(record, input, 0).record ?? record;
/** As it gets its file, most times: its first line is in the log, its delivery begins. */
const started = (record: QuestionRecord) => next(logged(record), { event: 'delivery_started' });
const delivered = (record: QuestionRecord) =>
  next(next(logged(record), { event: 'delivery_started' }), {
    event: 'delivered',
    message_ids: ['-1001234567890:42'],
  });
const read = () => readRecord(readFileSync(path, 'utf8'));

test('a delivery is noted within one sector of the file, whatever the question’s length [DAEM-12]', () => {
  for (let length = 1; length < 2 * sectorBytes; length += 1) {
    const record = started(asked('é'.repeat(length % 7) + 'q'.repeat(length)));
    writeFileSync(path, layRecord(record));
    const before = readFileSync(path);
    const { ino } = statSync(path);
    expect(amendRecord(path, delivered(record))).toBe(true);
    expect(read()).toEqual({ code: 'record', record: delivered(record) });
    const after = readFileSync(path);
    expect([after.length, statSync(path).ino]).toEqual([before.length, ino]);
    const sectors = new Set(
      [...after.entries()].flatMap(([at, byte]) =>
        byte === before[at] ? [] : [Math.floor(at / sectorBytes)],
      ),
    );
    expect(sectors.size, `length ${length}`).toBe(1);
  }
});

test('what needs more room, or says something else, is left for a new file and untouched [DAEM-12]', () => {
  const record = asked('q');
  writeFileSync(path, layRecord(record));
  const before = readFileSync(path, 'utf8');
  const other = { ...delivered(record), asker: { ...record.asker, endpoint: '/f' } };
  const longer = { ...record, message_ids: Array.from({ length: 40 }, (_, at) => `-1001234567890:${at}`) };
  for (const unfit of [
    other,
    longer,
    next(record, { event: 'cancelled', by: null, from: { session: 's', endpoint: '/e' } }),
  ])
    expect(amendRecord(path, unfit)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe(before);
  writeFileSync(path, '');
  expect(amendRecord(path, record)).toBe(false);
  writeFileSync(path, before.slice(0, 40));
  expect(amendRecord(path, record)).toBe(false);
  expect(amendRecord(join(root, 'gone'), record)).toBe(false);
  symlinkSync(path, join(root, 'link'));
  expect(amendRecord(join(root, 'link'), record)).toBe(false);
});

test('a part that lies in two sectors is left for a new file [DAEM-12]', () => {
  let crossing = 0;
  for (let length = 1; length < sectorBytes; length += 1) {
    const record = asked('q'.repeat(length));
    const text = recordText(record);
    writeFileSync(path, text);
    const isApart =
      Math.floor(text.indexOf('"state"') / sectorBytes) !== Math.floor((text.length - 1) / sectorBytes);
    expect(amendRecord(path, delivered(record)), `length ${length}`).toBe(!isApart);
    crossing += Number(isApart);
  }
  expect(crossing).toBeGreaterThan(0);
});

test('an amended file can be amended again, and what was struck off stays so [DAEM-12]', () => {
  const record = asked('q');
  writeFileSync(path, layRecord(record));
  for (const amended of [delivered(record), { ...delivered(record), owed: [] }, record]) {
    expect(amendRecord(path, amended)).toBe(true);
    expect(read()).toEqual({ code: 'record', record: amended });
  }
});
