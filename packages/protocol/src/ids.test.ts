/** Catches: a derived id that changes between releases, so that a replay of an old ledger names other dispatches. */
import { expect, test } from 'vitest';
import { deriveUlid, encodeUlid, parseConferenceId, parseDecisionId, parseDispatchId } from './ids.ts';

const CONFERENCE = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';

test('derived ids are the known ones: time, then 80 bits of SHA-256 over the canonical parts', () => {
  // Computed with Python's hashlib from the same parts.
  expect(deriveUlid(1_796_040_001_000, [CONFERENCE, 'dispatch', 1, 'researcher', 'A', 1])).toBe(
    '01M8P571F8NJXZ8172T77QT5XW',
  );
  expect(deriveUlid(1_796_040_001_000, [CONFERENCE, 'dispatch', 1, 'researcher', 'A', 2])).toBe(
    '01M8P571F8EVWPRWEA7KJ4FG6J',
  );
});

test('a ULID is spelled from its bits, first and last included', () => {
  expect(encodeUlid(0, new Uint8Array(10))).toBe('00000000000000000000000000');
  expect(encodeUlid(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  expect(encodeUlid(1_469_918_176_385, Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBe(
    '01ARYZ6S41000G40R40M30E209',
  );
});

test('a time or random part outside the bounds of a ULID is a bug, not a wrong id', () => {
  for (const time of [-1, 1.5, 2 ** 48, Number.NaN]) {
    expect(() => encodeUlid(time, new Uint8Array(10))).toThrow(RangeError);
  }
  expect(() => encodeUlid(0, new Uint8Array(9))).toThrow(RangeError);
});

test('ids are parsed in one spelling only', () => {
  for (const parse of [parseConferenceId, parseDispatchId, parseDecisionId]) {
    expect(parse(CONFERENCE)).toBe(CONFERENCE);
    expect(parse(CONFERENCE.toLowerCase())).toBeNull();
    expect(parse(`8${CONFERENCE.slice(1)}`)).toBeNull();
    expect(parse(`${CONFERENCE}\n`)).toBeNull();
    expect(parse(CONFERENCE.slice(1))).toBeNull();
    expect(parse(CONFERENCE.replace('J', 'I'))).toBeNull();
  }
});
