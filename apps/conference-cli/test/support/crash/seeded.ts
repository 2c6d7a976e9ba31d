/** Seeded choices: a red run is repeated with the SEED that it names. */

export interface Dice {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number;
}

export const SEED = Number(process.env['SEED'] ?? 20_261_130);
export const FULL = process.env['FULL'] === '1';

/** mulberry32: small, and the same on every machine. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return {
    roll: (sides) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
    },
  };
}
