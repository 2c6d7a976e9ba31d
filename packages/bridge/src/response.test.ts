import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQid } from './qid.ts';
import { answerResponse, errorResponse, responseEnvelopeSchema } from './response.ts';

const qid = parseQid('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (qid === null) throw new Error('no qid');
const head = { qid, hops: 1, from: { session: 's', endpoint: '/run/s.sock' }, now: 0 };
const mark = '… [cut: the whole answer is in /x/undelivered/q.json]';

test('an outcome’s envelope is the response of the wire, and an error carries null [BRID-25]', () => {
  expect(JSON.stringify(errorResponse(head, 'no'))).toBe(
    '{"type":"response","msg_id":"01J9ZQ4V7N3K8M2R5T6W8X9Y0A","sender_session":"s","sender_endpoint":"/run/s.sock",' +
      '"hops":1,"timestamp":"1970-01-01T00:00:00.000Z","response":null,"error":"no"}',
  );
});

test('a stored envelope read back has the same bytes [DAEM-19]', () => {
  const made = answerResponse(head, { kind: 'freeform', text: 'a\uD800\u2028"' }, mark).envelope;
  const text = JSON.stringify(made);
  expect(JSON.stringify(responseEnvelopeSchema.parse(JSON.parse(text)))).toBe(text);
});

test('an answer too long for one line is cut at a whole character, as much as fits, and ends in the mark [DAEM-13]', () => {
  const unit = fc.constantFrom('a', '"', '\n', '\u0001', '🙂', '👨‍👩‍👧‍👦', '\uD800', '\\');
  fc.assert(
    fc.property(
      unit,
      fc.integer({ min: 66_000, max: 90_000 }),
      fc.integer({ min: 0, max: 12 }),
      (one, size, offset) => {
        const text = 'x'.repeat(offset) + one.repeat(Math.ceil(size / one.length));
        const { envelope, cut } = answerResponse(head, { kind: 'freeform', text }, mark);
        expect(cut).toBe(true);
        const units = JSON.stringify(envelope).length + 1;
        expect(units).toBeLessThanOrEqual(65_536);
        expect(units).toBeGreaterThan(65_536 - 6 * one.length - 6);
        if (envelope.response?.kind !== 'freeform') throw new Error('not freeform');
        const kept = envelope.response.text.slice(offset, -mark.length);
        expect(envelope.response.text.endsWith(mark)).toBe(true);
        expect(kept).toBe(one.repeat(kept.length / one.length));
      },
    ),
    { numRuns: process.env['FULL'] === '1' ? 300 : 15, seed: 5 },
  );
});

test('an answer that just fits is sent whole [DAEM-13]', () => {
  const room =
    65_535 - JSON.stringify(answerResponse(head, { kind: 'freeform', text: '' }, mark).envelope).length;
  const fits = answerResponse(head, { kind: 'freeform', text: 'x'.repeat(room) }, mark);
  expect(fits.cut).toBe(false);
  expect(answerResponse(head, { kind: 'freeform', text: 'x'.repeat(room + 1) }, mark).cut).toBe(true);
});
