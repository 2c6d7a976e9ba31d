/** Catches: an append that is believed and not durable, a sync that is tried again, bytes of another writer that are cut off. */
import {
  appendFileSync,
  fdatasyncSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { entryOf } from '../../test/support/entries.ts';
import { appended, opened } from '../../test/support/opened.ts';
import { temporaryFolder } from '../../test/support/temporary.ts';
import { failed } from '../grant.ts';
import { systemCalls, type AppendCalls } from './file-ledger.ts';
import { openWith, type Opened } from './open.ts';

const fileIn = (): string => join(temporaryFolder(), 'ledger.jsonl');
const failing = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};
const openedWith = async (file: string, calls: Partial<AppendCalls>): Promise<Opened> => {
  const outcome = await openWith(file, {}, { ...systemCalls, ...calls });
  if (outcome.status === 'refused') throw new Error(outcome.message);
  return outcome;
};

test('a group is one write and one sync, and both are done when the append returns [LEDG-04]', async () => {
  const file = fileIn();
  const done: string[] = [];
  const { ledger } = await openedWith(file, {
    write: (fd, bytes, position) => {
      done.push('write');
      return writeSync(fd, bytes, 0, bytes.length, position);
    },
    sync: (fd) => {
      done.push('sync');
      fdatasyncSync(fd);
    },
  });
  const outcome = appended(ledger.append(ledger.head, [entryOf(1), entryOf(2), entryOf(3)]));
  expect(done).toEqual(['write', 'sync']);
  expect(outcome.records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  expect(ledger.head.bytes).toBe(statSync(file).size);
  appended(ledger.append(ledger.head, []));
  expect(done).toEqual(['write', 'sync']);
  await ledger.close();
});

test('a short write goes on where it stopped', async () => {
  const file = fileIn();
  const { ledger } = await openedWith(file, {
    write: (fd, bytes, position) => writeSync(fd, bytes, 0, Math.min(7, bytes.length), position),
  });
  appended(ledger.append(ledger.head, [entryOf(1, 200)]));
  await ledger.close();
  expect((await opened(file)).head.seq).toBe(1);
});

const faults: readonly (readonly [string, Partial<AppendCalls>, string])[] = [
  ['a full disk', { write: () => failing('ENOSPC') }, 'LEDGER_DISK_FULL'],
  [
    'a full disk after half a line',
    { write: (fd, bytes, at) => (bytes.length > 100 ? writeSync(fd, bytes, 0, 100, at) : failing('EDQUOT')) },
    'LEDGER_DISK_FULL',
  ],
  ['a write of nothing', { write: () => 0 }, 'LEDGER_IO'],
  ['a read-only file system', { write: () => failing('EROFS') }, 'LEDGER_READ_ONLY'],
  ['a failed sync', { sync: () => failing('EIO') }, 'LEDGER_IO'],
  ['a stale handle', { stat: () => failing('ESTALE') }, 'LEDGER_VANISHED'],
];

test.each(faults)(
  '%s closes the ledger, cut back to what is durable, and only reopening allows the next append [LEDG-07]',
  async (_, calls, code) => {
    const file = fileIn();
    const before = await opened(file);
    const { head } = appended(before.ledger.append(before.head, [entryOf(1)]));
    await before.ledger.close();
    const bytes = readFileSync(file);
    let syncs = 0;
    const sync = (fd: number): void => {
      syncs += 1;
      (calls.sync ?? fdatasyncSync)(fd);
    };
    const { ledger } = await openedWith(file, { ...calls, sync });
    const refused = ledger.append(head, [{ ...entryOf(2, 300) }]);
    expect(refused).toMatchObject({ status: 'refused', code });
    expect(ledger.head).toEqual(head);
    expect(readFileSync(file)).toEqual(bytes);
    const syncsBefore = syncs;
    expect(syncsBefore).toBeLessThanOrEqual(1);
    expect(ledger.append(head, [entryOf(2)])).toMatchObject({ code: 'LEDGER_CLOSED', because: code });
    expect(syncs).toBe(syncsBefore);
    await ledger.close();
    const after = await opened(file);
    expect(after.head).toEqual(head);
    expect(appended(after.ledger.append(head, [entryOf(2)])).head.seq).toBe(2);
  },
);

test('a cut that fails too leaves the first trouble to be told, and the next opening judges the rest [LEDG-07]', async () => {
  const file = fileIn();
  const { ledger } = await openedWith(file, {
    write: (fd, bytes, at) => (bytes.length > 60 ? writeSync(fd, bytes, 0, 60, at) : failing('ENOSPC')),
    truncate: () => failing('EIO'),
  });
  expect(ledger.append(ledger.head, [entryOf(1)])).toMatchObject({
    code: 'LEDGER_DISK_FULL',
    errno: 'ENOSPC',
    operation: 'write',
  });
  await ledger.close();
  expect(await opened(file)).toMatchObject({ head: { seq: 0 }, setAside: { reason: 'torn_tail' } });
});

test('a file that grew or shrank is another writer: refused, left as it is, closed [LEDG-22]', async () => {
  for (const change of [
    (file: string) => appendFileSync(file, 'x'),
    (file: string) => truncateSync(file, 5),
  ]) {
    const file = fileIn();
    const { ledger } = await opened(file);
    const { head } = appended(ledger.append(ledger.head, [entryOf(1)]));
    change(file);
    const bytes = readFileSync(file);
    expect(ledger.append(head, [entryOf(2)])).toMatchObject({
      code: 'LEDGER_FORKED',
      expectedBytes: head.bytes,
      foundBytes: bytes.length,
    });
    expect(readFileSync(file)).toEqual(bytes);
    expect(ledger.append(head, [entryOf(2)])).toMatchObject({ code: 'LEDGER_CLOSED' });
  }
});

test('a removed or replaced file, or a removed folder, is found before anything is written to it [LEDG-07]', async () => {
  const changes = [
    (file: string) => unlinkSync(file),
    (file: string) => {
      writeFileSync(`${file}.new`, readFileSync(file));
      renameSync(`${file}.new`, file);
    },
    (file: string) => rmSync(dirname(file), { recursive: true }),
    (file: string) => {
      rmSync(dirname(file), { recursive: true });
      mkdirSync(dirname(file));
      writeFileSync(file, '');
    },
  ];
  for (const change of changes) {
    const file = join(temporaryFolder(), 'in', 'ledger.jsonl');
    const { ledger } = await opened(file);
    const { head } = appended(ledger.append(ledger.head, [entryOf(1)]));
    change(file);
    expect(ledger.append(head, [entryOf(2)])).toMatchObject({ code: 'LEDGER_VANISHED', path: file });
    expect(ledger.head).toEqual(head);
  }
});

test('a wrong head, a bad entry and a refused authority write nothing and leave the ledger open [LEDG-22 PROTO-37]', async () => {
  const file = fileIn();
  let allowed = true;
  const authorize = (): ReturnType<typeof failed> | null =>
    allowed ? null : failed('grant', 'it was revoked');
  const { ledger, head: empty } = await opened(file, { authorize, lineBytesMax: 1000 });
  const { head } = appended(ledger.append(empty, [entryOf(1)]));
  expect(ledger.append(empty, [entryOf(2)])).toMatchObject({ code: 'LEDGER_HEAD_MOVED', head });
  expect(ledger.append(head, [entryOf(2), { ...entryOf(3), timestamp: 'now' }])).toMatchObject({
    code: 'LEDGER_ENTRY_INVALID',
    index: 1,
  });
  expect(ledger.append(head, [entryOf(2, 1000)])).toMatchObject({ code: 'LEDGER_TOO_LARGE' });
  allowed = false;
  expect(ledger.append(head, [entryOf(2)])).toMatchObject({
    code: 'LEDGER_NOT_AUTHORIZED',
    check: 'grant',
    reason: 'it was revoked',
  });
  allowed = true;
  expect(statSync(file).size).toBe(head.bytes);
  expect(appended(ledger.append(head, [entryOf(2)])).head.seq).toBe(2);
});
