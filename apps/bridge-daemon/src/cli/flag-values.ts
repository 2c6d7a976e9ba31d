/**
 * How the values of flags are read; each error says what was found and what is accepted. Imports nothing: help and
 * refusals must not wait for the daemon's code.
 */

/** Fifteen digits; what is longer than a deadline can be is bounded where deadlines are made. */
const millisecondsMax = 999_999_999_999_999;

const wholeNumber = (input: string, { min, max, of }: { min: number; max: number; of: string }): number => {
  const value = /^\d{1,15}$/.test(input) ? Number(input) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new SyntaxError(`${JSON.stringify(input)} is not ${of}: write a whole number from ${min} to ${max}`);
};

export const parseTimeout = (input: string): number =>
  wholeNumber(input, { min: 1, max: millisecondsMax, of: 'a timeout in milliseconds' });

export const parsePoll = (input: string): number =>
  wholeNumber(input, { min: 10, max: 3_600_000, of: 'a poll interval in milliseconds' });

export const parseFilled = (input: string): string => {
  if (input.trim() !== '') return input;
  throw new SyntaxError('the value is empty: write one, or leave the flag out');
};

/** What becomes an argument of hermes: one that starts with a dash, hermes would take for a flag. */
export const parseHermesArgument = (input: string): string => {
  if (!input.startsWith('-')) return parseFilled(input);
  throw new SyntaxError(`${JSON.stringify(input)} starts with a dash, so hermes would take it for a flag`);
};

/** `HERMES_SEND_TIMEOUT_MS`; what is unset or no whole number above zero counts as not there. */
export const runMsFromEnv = (value: string | undefined, otherwise: number): number =>
  value !== undefined && /^\d{1,9}$/.test(value) && Number(value) > 0 ? Number(value) : otherwise;
