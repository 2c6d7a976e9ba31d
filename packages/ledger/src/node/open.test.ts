/** Catches: a tail that is dropped, a damaged line that is papered over, a ledger that starts twice. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { entryOf } from '../../test/support/entries.ts';
import { appended, opened } from '../../test/support/opened.ts';
import { memoryFolder, temporaryFolder } from '../../test/support/temporary.ts';
import { memoryLedger } from '../memory-ledger.ts';
import { openLedger } from './open.ts';

const full = process.env['FULL'] === '1';

const textOf = (lines: number): string => {
  const ledger = memoryLedger();
  for (let n = 0; n < lines; n++) ledger.append(ledger.head, [entryOf(n)]);
  return ledger.text();
};
const withText = (text: string | Uint8Array): string => {
  const file = join(temporaryFolder(), 'ledger.jsonl');
  writeFileSync(file, text);
  return file;
};
const filesBeside = (file: string): string[] => readdirSync(dirname(file)).toSorted();

test('a new ledger is made with its folder, 0700 and 0600 whatever the umask, and reopens as it was left [LEDG-05]', async () => {
  const folder = join(temporaryFolder(), 'deep', 'er');
  const file = join(folder, 'ledger.jsonl');
  const before = process.umask(0o000);
  const first = await opened(file).finally(() => process.umask(before));
  expect(first).toMatchObject({ head: { seq: 0, bytes: 0 }, setAside: null, completed: false });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { head } = appended(first.ledger.append(first.head, [entryOf(1), entryOf(2)]));
  await first.ledger.close();
  const records: number[] = [];
  const second = await opened(file, { onRecord: ({ seq }) => records.push(seq) });
  expect(second.head).toEqual(head);
  expect(records).toEqual([1, 2]);
  expect(filesBeside(file)).toEqual(['ledger.jsonl', 'ledger.lock']);
  await second.ledger.close();
  expect(filesBeside(file)).toEqual(['ledger.jsonl']);
});

test("an umask that takes the owner's rights takes none of them here", async () => {
  const folder = join(temporaryFolder(), 'in');
  const before = process.umask(0o200);
  const { ledger } = await opened(join(folder, 'ledger.jsonl')).finally(() => process.umask(before));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'ledger.jsonl')).mode & 0o777).toBe(0o600);
  await ledger.close();
});

test('what exists keeps its mode, and create says what may exist', async () => {
  const file = withText(textOf(1));
  chmodSync(file, 0o640);
  await (await opened(file)).ledger.close();
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(await openLedger(file, { create: 'must_be_new' })).toMatchObject({
    code: 'LEDGER_EXISTS',
    path: file,
  });
  const none = join(dirname(file), 'none', 'ledger.jsonl');
  expect(await openLedger(none, { create: 'never' })).toMatchObject({ code: 'LEDGER_MISSING', path: none });
  expect(existsSync(dirname(none))).toBe(false);
  expect(await openLedger(join(dirname(file), 'b.jsonl'), { create: 'never' })).toMatchObject({
    code: 'LEDGER_MISSING',
  });
  expect(filesBeside(file)).toEqual(['ledger.jsonl']);
});

test('a link, folder, pipe or file in the way is refused and left as it is', async () => {
  const folder = temporaryFolder();
  const target = join(folder, 'target');
  writeFileSync(target, textOf(1));
  symlinkSync(target, join(folder, 'link'));
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['link', 'folder', 'pipe']) {
    expect(await openLedger(join(folder, name))).toMatchObject({
      code: 'LEDGER_NOT_A_FILE',
      path: join(folder, name),
    });
  }
  expect(await openLedger(join(target, 'ledger.jsonl'))).toMatchObject({
    status: 'refused',
    code: 'LEDGER_IO',
    errno: 'EEXIST',
  });
  expect(readFileSync(target, 'utf8')).toBe(textOf(1));
});

test('a ledger of 20 lines cut at every byte opens with every whole line, and not one byte is lost [LEDG-06 RECO-11]', async () => {
  const text = Buffer.from(textOf(20));
  const ends: number[] = [];
  for (let at = text.indexOf(0x0a); at !== -1; at = text.indexOf(0x0a, at + 1)) ends.push(at + 1);
  const folder = memoryFolder();
  const file = join(folder, 'ledger.jsonl');
  // Without FULL=1: every byte around each end, and every 29th of the rest.
  const nearEnd = (cut: number): boolean => ends.some((end) => Math.abs(end - cut) <= 2);
  for (let cut = 0; cut <= text.length; cut++) {
    if (!full && !nearEnd(cut) && cut % 29 !== 0) continue;
    for (const name of readdirSync(folder)) unlinkSync(join(folder, name));
    writeFileSync(file, text.subarray(0, cut));
    const outcome = await openLedger(file);
    if (outcome.status === 'refused') throw new Error(`cut at ${cut}: ${outcome.message}`);
    const completed = ends.includes(cut + 1);
    const seq = ends.filter((end) => end <= cut + (completed ? 1 : 0)).length;
    const end = ends[seq - 1] ?? 0;
    expect({ cut, seq: outcome.head.seq, bytes: outcome.head.bytes, completed: outcome.completed }).toEqual({
      cut,
      seq,
      bytes: end,
      completed,
    });
    const torn = join(folder, `ledger.jsonl.torn-${seq + 1}`);
    if (cut > end) {
      expect(outcome.setAside).toEqual({
        reason: 'torn_tail',
        path: torn,
        seq: seq + 1,
        offset: end,
        bytes: cut - end,
        fault: null,
      });
      expect(readFileSync(torn)).toEqual(text.subarray(end, cut));
      expect(statSync(torn).mode & 0o777).toBe(0o600);
    } else {
      expect(outcome.setAside).toBeNull();
      expect(existsSync(torn)).toBe(false);
    }
    appended(outcome.ledger.append(outcome.head, [entryOf(99)]));
    await outcome.ledger.close();
    expect(readFileSync(file).subarray(0, end)).toEqual(text.subarray(0, end));
    const again = await openLedger(file, { create: 'never' });
    if (again.status === 'refused') throw new Error(again.message);
    expect(again.head.seq).toBe(seq + 1);
    await again.ledger.close();
  }
}, 600_000);

test('a whole record without its newline is kept, and what follows its last brace is set aside [LEDG-06]', async () => {
  const text = textOf(3);
  const rest = '\u0000'.repeat(400);
  const file = withText(text.slice(0, -1) + rest);
  const outcome = await opened(file);
  expect(outcome).toMatchObject({
    head: { seq: 3, bytes: Buffer.byteLength(text) },
    completed: true,
    setAside: { seq: 4, bytes: 400 },
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readFileSync(`${file}.torn-4`, 'utf8')).toBe(rest);
});

test('a torn tail longer than any line is set aside without being read into memory [LEDG-06]', async () => {
  const text = textOf(2);
  const tail = Buffer.alloc(3_000_000, 0x7d);
  const file = withText(Buffer.concat([Buffer.from(text), tail]));
  const outcome = await opened(file, { lineBytesMax: 4096 });
  expect(outcome).toMatchObject({ head: { seq: 2 }, setAside: { bytes: 3_000_000 } });
  expect(readFileSync(`${file}.torn-3`).equals(tail)).toBe(true);
});

test('an earlier torn tail of the same line is never overwritten, and the same one is not copied twice [LEDG-06]', async () => {
  const text = textOf(1);
  const file = withText(`${text}{"torn":1`);
  await (await opened(file)).ledger.close();
  writeFileSync(file, `${text}{"torn":2`);
  const second = await opened(file);
  expect(second.setAside?.path).toBe(`${file}.torn-2.2`);
  await second.ledger.close();
  // As after a kill between the copy and the cut.
  writeFileSync(file, `${text}{"torn":2`);
  const third = await opened(file);
  expect(third.setAside?.path).toBe(`${file}.torn-2.2`);
  expect(readFileSync(`${file}.torn-2`, 'utf8')).toBe('{"torn":1');
  expect(filesBeside(file)).toEqual([
    'ledger.jsonl',
    'ledger.jsonl.torn-2',
    'ledger.jsonl.torn-2.2',
    'ledger.lock',
  ]);
});

test('a complete line that does not verify refuses the opening, is named, and nothing is touched [LEDG-05 RECO-11]', async () => {
  const lines = textOf(20).split('\n').slice(0, -1);
  const damage = [
    lines.with(9, (lines[9] ?? '').replace('thing.done', 'thing.dOne')),
    lines.toSpliced(9, 1),
    lines.with(9, lines[10] ?? '').with(10, lines[9] ?? ''),
    lines.with(9, ''),
    lines.with(9, '{"event":"x"}'),
  ];
  for (const changed of damage) {
    const text = `${changed.join('\n')}\n{"torn`;
    const file = withText(text);
    const outcome = await openLedger(file);
    expect(outcome).toMatchObject({ code: 'LEDGER_DAMAGED', fault: { line: 10 }, head: { seq: 9 } });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(filesBeside(file)).toEqual(['ledger.jsonl']);
  }
});

test('a damaged last line that ends in a newline is no torn tail [RECO-11 LEDG-06]', async () => {
  const text = `${textOf(2)}{"torn\n`;
  const file = withText(text);
  expect(await openLedger(file)).toMatchObject({ code: 'LEDGER_DAMAGED', fault: { line: 3 } });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the decision keep_verified_prefix sets aside everything from the named line, and only from that one [RECO-11]', async () => {
  const good = textOf(5);
  const lines = good.split('\n').slice(0, -1);
  const prefix = `${lines.slice(0, 2).join('\n')}\n`;
  const text = `${lines.with(2, 'not a line').join('\n')}\nand a tail`;
  const file = withText(text);
  for (const line of [2, 4]) {
    expect(await openLedger(file, { keepVerifiedPrefix: { line } })).toMatchObject({
      code: 'LEDGER_DAMAGED',
      fault: { line: 3 },
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
  const outcome = await opened(file, { keepVerifiedPrefix: { line: 3 } });
  expect(outcome).toMatchObject({
    head: { seq: 2, bytes: prefix.length },
    setAside: {
      reason: 'keep_verified_prefix',
      path: `${file}.torn-3`,
      seq: 3,
      fault: { kind: 'frame', line: 3 },
    },
  });
  expect(readFileSync(file, 'utf8')).toBe(prefix);
  expect(readFileSync(`${file}.torn-3`, 'utf8')).toBe(text.slice(prefix.length));
  appended(outcome.ledger.append(outcome.head, [entryOf(7)]));
});

test('a record that the caller does not know refuses the opening by name before anything is mended [LEDG-24]', async () => {
  const text = `${textOf(3)}{"torn`;
  const file = withText(text);
  const accept = ({ seq, event }: { seq: number; event: string }): string | null =>
    seq === 2 ? `unknown event ${event}` : null;
  const seen: number[] = [];
  const outcome = await openLedger(file, { accept, onRecord: ({ seq }) => seen.push(seq) });
  expect(outcome).toMatchObject({ code: 'LEDGER_TOO_NEW', line: 2, reason: 'unknown event thing.done' });
  expect(seen).toEqual([1]);
  expect(readFileSync(file, 'utf8')).toBe(text);
  const whole = withText(textOf(2).slice(0, -1));
  expect(await openLedger(whole, { accept })).toMatchObject({ code: 'LEDGER_TOO_NEW', line: 2 });
  expect(readFileSync(whole, 'utf8')).toBe(textOf(2).slice(0, -1));
});

test('a callback that throws gives lock and file back', async () => {
  const file = withText(textOf(1));
  const failing = openLedger(file, {
    onRecord: () => {
      throw new Error('mine');
    },
  });
  await expect(failing).rejects.toThrow('mine');
  expect((await opened(file, { lockWaitMs: 0 })).head.seq).toBe(1);
});

test('the missing tail cannot be seen in the ledger itself: only an outside head tells', async () => {
  const file = withText(textOf(5));
  const { ledger, head } = await opened(file);
  await ledger.close();
  truncateSync(file, Buffer.byteLength(textOf(3)));
  const shorter = await opened(file);
  expect(shorter.head.seq).toBe(3);
  expect(shorter.ledger.append(head, [entryOf(9)])).toMatchObject({ code: 'LEDGER_HEAD_MOVED' });
});
