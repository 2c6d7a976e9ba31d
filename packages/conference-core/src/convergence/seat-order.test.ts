/** Catches a baseline or a tie that depends on how lanes happened to stand, or on text order (`AA` before `B`). */
import { expect, test } from 'vitest';

import { compareSeats, inSeatOrder } from './seat-order.ts';

test('lanes stand as seats do: A to Z, then AA, whatever order they came in [CONV-04]', () => {
  const seats = ['A', 'B', 'Y', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA'];
  const shuffled = seats.toReversed().map((lane) => ({ lane }));
  expect(inSeatOrder(shuffled).map(({ lane }) => lane)).toEqual(seats);
  expect(shuffled.map(({ lane }) => lane)).toEqual(seats.toReversed());
  expect([compareSeats('A', 'A'), compareSeats('Z', 'AA'), compareSeats('B', 'A')].map(Math.sign)).toEqual([
    0, -1, 1,
  ]);
});

test('lanes already in order are handed on as they are', () => {
  const lanes = [{ lane: 'A' }, { lane: 'B' }, { lane: 'AA' }];
  expect(inSeatOrder(lanes)).toBe(lanes);
});
