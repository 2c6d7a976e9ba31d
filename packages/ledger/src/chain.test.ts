/** Catches: damage that passes, good lines that do not, and memory that grows with the ledger. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChainVerifier, verifyChain, type ChainReport } from './chain.ts';
import { LedgerError } from './error.ts';
import { memoryLedger } from './memory-ledger.ts';

const vectors = readFileSync(new URL('../test/vectors/ledger.jsonl', import.meta.url));

/** A ledger of `count` lines, with U+2028, CR and a NUL among the data. */
const ledgerOf = (count: number): Buffer => {
  const ledger = memoryLedger();
  for (let index = 0; index < count; index++) {
    const payload = { index, text: `a\u2028b\r\n\u0000 їжак 🙂 ${'x'.repeat(index * 3)}` };
    ledger.append(ledger.head, [{ event: 'thing.done', payload, timestamp: '2026-01-01T00:00:00.000Z' }]);
  }
  return Buffer.from(ledger.text());
};
const linesOf = (bytes: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; at = bytes.indexOf(0x0a, at) + 1)
    lines.push(bytes.subarray(at, bytes.indexOf(0x0a, at) + 1));
  return lines;
};
const faultOf = (report: ChainReport): string =>
  report.status === 'damaged' ? `${report.fault.kind} at line ${report.fault.line}` : 'whole';

test('the published vectors verify, and the head is the last line [LEDG-02 LEDG-05]', async () => {
  const report = await verifyChain([vectors], { canonical: true });
  expect(report).toMatchObject({
    status: 'whole',
    head: {
      seq: 5,
      digest: 'sha256:36678447c19080184769bfc13a33a602e7a04136a23a2a00b6d062f8e85f6807',
      bytes: 1725,
      timestamp: '2026-11-30T12:00:05.000Z',
    },
    tail: { length: 0 },
  });
});

test('the same bytes verify alike however they are cut into chunks, and lines end at 0x0A only [LEDG-05 LEDG-06]', async () => {
  const bytes = ledgerOf(6);
  const whole = await verifyChain([bytes]);
  expect(whole).toMatchObject({ status: 'whole', head: { seq: 6, bytes: bytes.length } });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), async (sizes) => {
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(await verifyChain(chunks)).toEqual(whole);
    }),
    { numRuns: 50 },
  );
  expect(await verifyChain(Array.from(bytes, (byte) => new Uint8Array([byte])))).toEqual(whole);
});

test('a missing, repeated, swapped, inserted or foreign line is found and named [LEDG-05]', async () => {
  const lines = linesOf(ledgerOf(6));
  const [a, b, c, d, e, f] = lines;
  if (!a || !b || !c || !d || !e || !f) throw new Error('six lines');
  const other = linesOf(Buffer.from(ledgerOf(6).toString().replaceAll('thing.done', 'thing.gone')));
  const cases: readonly (readonly [readonly Buffer[], string])[] = [
    [[b, c, d], 'sequence at line 1'],
    [[a, c, d], 'sequence at line 2'],
    [[a, b, b, c], 'sequence at line 3'],
    [[a, c, b, d], 'sequence at line 2'],
    [[a, b, other[2] ?? a], 'digest at line 3'],
    [[a, Buffer.from('\n'), b], 'frame at line 2'],
    [[a, Buffer.from('{}\n')], 'frame at line 2'],
    [[a, b, c, d, e, f], 'whole'],
    [[a, b, c], 'whole'], // a missing tail cannot be seen in the ledger itself
  ];
  for (const [order, expected] of cases)
    expect(faultOf(await verifyChain([Buffer.concat(order)]))).toBe(expected);
});

test('a line of another chain with a right digest and seq does not follow [LEDG-05]', async () => {
  const one = memoryLedger();
  const two = memoryLedger();
  const entry = { event: 'a', payload: {}, timestamp: '2026-01-01T00:00:00.000Z' };
  one.append(one.head, [entry, entry]);
  two.append(two.head, [{ ...entry, event: 'b' }, entry]);
  const mixed = `${one.text().split('\n')[0]}\n${two.text().split('\n')[1]}\n`;
  expect(faultOf(await verifyChain([Buffer.from(mixed)]))).toBe('previous at line 2');
});

test('every flipped byte of a ledger is found, in its own line [LEDG-05]', async () => {
  const bytes = ledgerOf(3);
  const ends = linesOf(bytes).map((_, index, all) =>
    all.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0),
  );
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x04;
    const report = await verifyChain([changed]);
    const line = ends.findIndex((end) => at < end) + 1;
    // The last newline, flipped, leaves a tail; it is no line and no fault.
    if (at === bytes.length - 1) expect(report).toMatchObject({ status: 'whole', head: { seq: 2 } });
    else expect(report).toMatchObject({ status: 'damaged', head: { seq: line - 1 }, fault: { line } });
  }
});

test('bytes after the last newline are a tail, whatever they are, never a line [LEDG-06]', async () => {
  const bytes = ledgerOf(2);
  const report = await verifyChain([bytes, Buffer.alloc(400)]);
  expect(report).toMatchObject({ status: 'whole', head: { seq: 2 }, tail: { length: 400 } });
});

test('a line beyond the limit is a fault once it ends, and a tail until then, without being kept', async () => {
  const bytes = ledgerOf(1);
  const long = Buffer.alloc(5000, 0x61);
  const open = await verifyChain([bytes, long, long], { lineBytesMax: 1000 });
  expect(open).toMatchObject({ status: 'whole', head: { seq: 1 }, tail: { length: 10_000, bytes: null } });
  const ended = await verifyChain([bytes, long, long, Buffer.from('\n')], { lineBytesMax: 1000 });
  expect(ended).toMatchObject({
    status: 'damaged',
    fault: { kind: 'length', line: 2, found: '10001 bytes' },
  });
  const exact = bytes.length;
  expect(faultOf(await verifyChain([bytes], { lineBytesMax: exact }))).toBe('whole');
  expect(faultOf(await verifyChain([bytes], { lineBytesMax: exact - 1 }))).toBe('length at line 1');
  for (const limit of [0, -1, 1.5, Number.NaN])
    expect(() => createChainVerifier({ lineBytesMax: limit })).toThrow(LedgerError);
});

test('a verification goes on from a head, and a fault stays a fault', async () => {
  const bytes = ledgerOf(5);
  const firstTwo = Buffer.concat(linesOf(bytes).slice(0, 2));
  const start = await verifyChain([firstTwo]);
  const seen: number[] = [];
  const rest = await verifyChain([bytes.subarray(firstTwo.length)], {
    from: start.head,
    onRecord: ({ seq }) => seen.push(seq),
  });
  expect(rest.head).toEqual((await verifyChain([bytes])).head);
  expect(seen).toEqual([3, 4, 5]);
  const verifier = createChainVerifier();
  const fault = verifier.feed(Buffer.from('{}\n'));
  expect(fault).toMatchObject({ line: 1 });
  expect(verifier.feed(bytes)).toBe(fault);
  expect(verifier.head.seq).toBe(0);
});
