/** Catches: a reader that disturbs a writer, shows half a line, goes silent, or mixes what was cut back with what came after. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entryOf } from '../../test/support/entries.ts';
import { appended, opened } from '../../test/support/opened.ts';
import { temporaryFolder } from '../../test/support/temporary.ts';
import { memoryLedger } from '../memory-ledger.ts';
import { followLedger, type FollowItem, type FollowOptions } from './follow.ts';
import { readLedger, verifyLedger, type ReadItem, type ReadOptions } from './read.ts';

const textOf = (lines: number, from = 0): string => {
  const ledger = memoryLedger();
  for (let n = from; n < from + lines; n++) ledger.append(ledger.head, [entryOf(n)]);
  return ledger.text();
};
const fileWith = (text: string): string => {
  const file = join(temporaryFolder(), 'in', 'ledger.jsonl');
  mkdirSync(dirname(file));
  writeFileSync(file, text);
  return file;
};
const readAll = async (file: string, options: ReadOptions = {}): Promise<ReadItem[]> => {
  const items: ReadItem[] = [];
  for await (const item of readLedger(file, options)) items.push(item);
  return items;
};
const shown = (item: FollowItem | undefined): string => {
  if (item === undefined) return 'over';
  if (item.kind === 'record') return `record ${item.record.seq}`;
  if (item.kind === 'refused') return `refused ${item.refused.code}`;
  return `${item.kind} ${item.head.seq}`;
};
/** A follower that is asked for one item at a time; it is ended after the test. */
const follow = (
  file: string,
  options: FollowOptions = {},
): { next: () => Promise<string>; stop: () => void } => {
  const stopping = new AbortController();
  const items = followLedger(file, stopping.signal, { pollMs: 20, ...options });
  onTestFinished(async () => {
    stopping.abort();
    await items.return();
  });
  return {
    stop: () => stopping.abort(),
    next: async () => {
      const step = await items.next();
      return shown(step.done === true ? undefined : step.value);
    },
  };
};

test('a reader beside a living writer gets every whole line and leaves the half-written one in flight [LEDG-06]', async () => {
  const file = join(temporaryFolder(), 'ledger.jsonl');
  const { ledger } = await opened(file);
  const { head } = appended(ledger.append(ledger.head, [entryOf(1), entryOf(2)]));
  appendFileSync(file, '{"digest":"sha256:half');
  const before = readFileSync(file);
  const items = await readAll(file);
  expect(items.map(shown)).toEqual(['record 1', 'record 2', 'end 2']);
  expect(items.at(-1)).toEqual({ kind: 'end', head, inFlightBytes: 22 });
  expect(readFileSync(file)).toEqual(before);
  expect(existsSync(`${file}.torn-3`)).toBe(false);
});

test('reading goes on from a head, and refuses one that lies beyond the file [LEDG-05]', async () => {
  const file = fileWith(textOf(3));
  const [, second] = await readAll(file);
  if (second?.kind !== 'record') throw new Error('a record');
  expect((await readAll(file, { after: second.head })).map(shown)).toEqual(['record 3', 'end 3']);
  truncateSync(file, second.head.bytes - 1);
  expect(await readAll(file, { after: second.head })).toMatchObject([
    { kind: 'refused', refused: { code: 'LEDGER_FORKED' } },
  ]);
});

test('a reader names a damaged line after the good ones, and what is no ledger [LEDG-05]', async () => {
  const text = textOf(3);
  const file = fileWith(text.replace('"n":1', '"n":7'));
  const items = await readAll(file);
  expect(items.map(shown)).toEqual(['record 1', 'refused LEDGER_DAMAGED']);
  expect(items[1]).toMatchObject({ refused: { fault: { kind: 'digest', line: 2 }, head: { seq: 1 } } });
  expect(await verifyLedger(file)).toMatchObject({ code: 'LEDGER_DAMAGED', fault: { line: 2 } });
  symlinkSync(file, `${file}.link`);
  expect((await readAll(`${file}.link`)).map(shown)).toEqual(['refused LEDGER_NOT_A_FILE']);
  expect((await readAll(`${file}.none`)).map(shown)).toEqual(['refused LEDGER_MISSING']);
  expect((await readAll(dirname(file))).map(shown)).toEqual(['refused LEDGER_NOT_A_FILE']);
});

test('a verification hands out each record, gives the head, and closes the file when its caller throws', async () => {
  const file = fileWith(`${textOf(3)}{"in flight`);
  const seqs: number[] = [];
  expect(await verifyLedger(file, { onRecord: ({ seq }) => seqs.push(seq) })).toMatchObject({
    status: 'whole',
    head: { seq: 3 },
    inFlightBytes: 11,
  });
  expect(seqs).toEqual([1, 2, 3]);
  const failing = verifyLedger(file, {
    onRecord: () => {
      throw new Error('mine');
    },
  });
  await expect(failing).rejects.toThrow('mine');
});

test('a follower gets what is there, then what comes, and ends when it is told to', async () => {
  const file = fileWith(textOf(2));
  const follower = follow(file);
  expect([await follower.next(), await follower.next(), await follower.next()]).toEqual([
    'record 1',
    'record 2',
    'end 2',
  ]);
  const { ledger } = await opened(file);
  appended(ledger.append(ledger.head, [entryOf(3), entryOf(4)]));
  expect([await follower.next(), await follower.next(), await follower.next()]).toEqual([
    'record 3',
    'record 4',
    'end 4',
  ]);
  const last = follower.next();
  follower.stop();
  expect(await last).toBe('over');
});

test('a follower waits for a file that is not there yet, not for a folder', async () => {
  const file = join(temporaryFolder(), 'ledger.jsonl');
  const follower = follow(file);
  const first = follower.next();
  writeFileSync(file, textOf(1));
  expect(await first).toBe('record 1');
  expect(await follow(join(file, '..', 'none', 'ledger.jsonl')).next()).toBe('refused LEDGER_VANISHED');
});

test('a half-written line that is cut back and written anew is never mixed, and shows once it is whole', async () => {
  const [one = '', two = ''] = textOf(2).split('\n');
  const file = fileWith(`${one}\n${two.slice(0, 100)}`);
  const follower = follow(file);
  expect([await follower.next(), await follower.next()]).toEqual(['record 1', 'end 1']);
  const next = follower.next();
  truncateSync(file, Buffer.byteLength(one) + 1);
  appendFileSync(file, two.slice(0, 7));
  appendFileSync(file, `${two.slice(7)}\n`);
  expect(await next).toBe('record 2');
});

test('lines that were shown and then taken back are named, and what comes instead follows', async () => {
  const text = textOf(4);
  const file = fileWith(text);
  const follower = follow(file);
  for (const expected of ['record 1', 'record 2', 'record 3', 'record 4', 'end 4'])
    expect(await follower.next()).toBe(expected);
  const two = text.split('\n').slice(0, 2).join('\n').length + 1;
  const next = follower.next();
  truncateSync(file, Buffer.byteLength(text.slice(0, two)));
  expect(await next).toBe('rewound 2');
  const { ledger } = await opened(file);
  appended(ledger.append(ledger.head, [entryOf(30), entryOf(40), entryOf(50)]));
  const rest = [await follower.next()];
  while (rest.at(-1) !== 'end 5') rest.push(await follower.next());
  expect(rest.filter((item) => item.startsWith('record'))).toEqual(['record 3', 'record 4', 'record 5']);
});

test('other lines of the same length in the place of those shown are found when the next one comes', async () => {
  const file = fileWith(textOf(2));
  const follower = follow(file);
  for (const expected of ['record 1', 'record 2', 'end 2']) expect(await follower.next()).toBe(expected);
  const mixed = memoryLedger();
  mixed.append(mixed.head, [entryOf(0), entryOf(5), entryOf(6)]);
  const next = follower.next();
  // In one write over the same file, as a cut and a regrowth between two looks.
  writeFileSync(file, mixed.text(), { flag: 'r+' });
  expect(await next).toBe('rewound 1');
  expect([await follower.next(), await follower.next()]).toEqual(['record 2', 'record 3']);
});

test('a removed folder, a replaced file and a damaged line end the following, which never goes silent', async () => {
  const changes: readonly (readonly [(file: string) => void, string])[] = [
    [(file) => rmSync(dirname(file), { recursive: true }), 'refused LEDGER_VANISHED'],
    [
      (file) => {
        rmSync(dirname(file), { recursive: true });
        mkdirSync(dirname(file));
        writeFileSync(file, textOf(9));
      },
      'refused LEDGER_VANISHED',
    ],
    [
      (file) => {
        writeFileSync(`${file}.new`, textOf(9));
        renameSync(`${file}.new`, file);
      },
      'refused LEDGER_VANISHED',
    ],
    [(file) => appendFileSync(file, 'no line\n'), 'refused LEDGER_DAMAGED'],
    [(file) => truncateSync(file, 0), 'rewound 0'],
  ];
  for (const [change, expected] of changes) {
    const file = fileWith(textOf(1));
    const follower = follow(file);
    expect([await follower.next(), await follower.next()]).toEqual(['record 1', 'end 1']);
    const next = follower.next();
    change(file);
    expect(await next).toBe(expected);
  }
});
