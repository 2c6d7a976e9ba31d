import { expect, test } from 'vitest';
import { verifyChain } from './chain.ts';
import { createGroupCommit } from './group-commit.ts';
import { memoryLedger } from './memory-ledger.ts';
import { emptyHead, type Entry, type Recorded } from './record.ts';

const entry = (n: number): Entry => ({ event: 'a.b', payload: { n }, timestamp: '2026-01-01T00:00:00.000Z' });

test('a ledger in memory gives the lines that a file would hold, and says that it is not durable [LEDG-01 LEDG-02]', async () => {
  const ledger = memoryLedger();
  expect(ledger.durable).toBe(false);
  const one = ledger.append(ledger.head, [entry(1), { ...entry(2), payload: { text: 'ї' } }]);
  if (one.status === 'refused') throw new Error(one.message);
  expect(one.records.map(({ seq }) => seq)).toEqual([1, 2]);
  const report = await verifyChain([Buffer.from(ledger.text())], { canonical: true });
  expect(report).toMatchObject({ status: 'whole', head: ledger.head });
  expect(ledger.records()).toEqual(one.records);
});

test('an append that expects another head writes nothing [LEDG-22]', () => {
  const ledger = memoryLedger();
  ledger.append(ledger.head, [entry(1)]);
  const { head } = ledger;
  expect(ledger.append(emptyHead, [entry(2)])).toMatchObject({
    status: 'refused',
    code: 'LEDGER_HEAD_MOVED',
    head,
  });
  expect(ledger.append({ ...head, digest: emptyHead.digest }, [entry(2)])).toMatchObject({
    code: 'LEDGER_HEAD_MOVED',
  });
  expect(ledger.head).toEqual(head);
  expect(ledger.records()).toHaveLength(1);
});

test('a group with one bad entry, or beyond a limit, is refused whole', () => {
  const ledger = memoryLedger({ lineBytesMax: 300, groupBytesMax: 600 });
  expect(ledger.append(ledger.head, [entry(1), { ...entry(2), payload: { a: undefined } }])).toMatchObject({
    code: 'LEDGER_ENTRY_INVALID',
    index: 1,
    path: '$.payload.a',
    found: 'undefined',
  });
  const long = { ...entry(1), payload: { text: 'ї'.repeat(100) } };
  expect(ledger.append(ledger.head, [long])).toMatchObject({
    code: 'LEDGER_TOO_LARGE',
    limit: 'lineBytesMax',
    limitValue: 300,
  });
  expect(ledger.append(ledger.head, [entry(1), entry(2), entry(3)])).toMatchObject({
    code: 'LEDGER_TOO_LARGE',
    limit: 'groupBytesMax',
  });
  expect(ledger.head).toEqual(emptyHead);
  expect(ledger.text()).toBe('');
});

test('a closed ledger refuses, and an empty group changes nothing', async () => {
  const ledger = memoryLedger();
  expect(ledger.append(ledger.head, [])).toEqual({ status: 'appended', records: [], head: emptyHead });
  await ledger.close();
  expect(ledger.append(ledger.head, [entry(1)])).toMatchObject({ code: 'LEDGER_CLOSED' });
});

test('the appends of one turn are one group, and each caller gets its own records [LEDG-04]', async () => {
  const inner = memoryLedger();
  const groups: number[] = [];
  const ledger: typeof inner = {
    ...inner,
    get head() {
      return inner.head;
    },
    append: (expected, entries) => {
      groups.push(entries.length);
      return inner.append(expected, entries);
    },
  };
  const group = createGroupCommit(ledger);
  const outcomes = await Promise.all([
    group.append([entry(1)]),
    group.append([entry(2), entry(3)]),
    group.append([]),
  ]);
  const seqs = outcomes.map((outcome) =>
    outcome.status === 'appended' ? outcome.records.map(({ seq }) => seq) : outcome.code,
  );
  expect(seqs).toEqual([[1], [2, 3], []]);
  expect(groups).toEqual([3]);
  const refused = await Promise.all([group.append([entry(4)]), group.append([{ ...entry(5), event: '' }])]);
  expect(refused.map(({ status }) => status)).toEqual(['refused', 'refused']);
  expect(inner.head.seq).toBe(3);
  const bounded = createGroupCommit(ledger, { entriesMax: 2, schedule: () => undefined });
  await Promise.all([bounded.append([entry(4)]), bounded.append([entry(5)])]);
  expect(inner.head.seq).toBe(5);
});

test('a record is made by an append only: an entry is no record to the compiler [LEDG-04]', () => {
  const announce = (
    record: Recorded<{ event: 'sent'; payload: { to: string }; timestamp: string }>,
  ): string => record.payload.to;
  const ledger = memoryLedger();
  const sent = { event: 'sent', payload: { to: 'x' }, timestamp: '2026-01-01T00:00:00.000Z' } as const;
  const outcome = ledger.append(ledger.head, [sent]);
  const [record] = outcome.status === 'appended' ? outcome.records : [];
  if (record === undefined) throw new Error('not appended');
  expect(announce(record)).toBe('x');
  const byHand = { ...sent, seq: 1, prev: emptyHead.digest, digest: emptyHead.digest };
  // @ts-expect-error -- made by hand, never appended
  expect(announce(byHand)).toBe('x');
});
