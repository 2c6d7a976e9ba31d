import { onTestFinished } from 'vitest';
import type { Appended, Refused } from '../../src/index.ts';
import { openLedger, type Opened, type OpenOptions } from '../../src/node/index.ts';

/** Opens a ledger that must open; it is closed after the test. */
export const opened = async (file: string, options: OpenOptions = {}): Promise<Opened> => {
  const outcome = await openLedger(file, options);
  if (outcome.status === 'refused') throw new Error(outcome.message);
  onTestFinished(() => outcome.ledger.close());
  return outcome;
};

/** An append that must succeed. */
export const appended = (outcome: Appended | Refused): Appended => {
  if (outcome.status === 'refused') throw new Error(outcome.message);
  return outcome;
};
