import type { Entry } from '../../src/index.ts';

export const entryOf = (n: number, bytes = 0): Entry => ({
  event: 'thing.done',
  payload: { n, text: 'ї'.repeat(bytes / 2) },
  timestamp: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
});
