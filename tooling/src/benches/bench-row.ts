/**
 * Reads the line a bench prints and says whether its aim is met.
 *
 * A bench prints one JSON object a line: `{ "bench": "ledger.append", "ratio": 0.93, "aim": ">= 0.9", … }`. The figure
 * that is compared is `ratio`, or the first number where there is no ratio; every other field is an extra figure.
 * Boundary: one line in, one row out; lines that are no such object are the bench's own talk.
 */

export type BenchRow = {
  readonly bench: string;
  /** Name of the compared figure, mostly `ratio`. */
  readonly figure: string;
  readonly value: number | undefined;
  readonly aim: string;
  /** Undefined where the aim gives no direction (`0.9` alone) or there is no figure. */
  readonly met: boolean | undefined;
  readonly extras: Readonly<Record<string, unknown>>;
};

export const readBenchLine = (line: string): BenchRow | undefined => {
  if (!line.trimStart().startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { bench, aim, met, ...rest } = { bench: undefined, aim: undefined, met: undefined, ...value };
  if (typeof bench !== 'string') return undefined;
  const fields: Record<string, unknown> = rest;
  const figure = typeof fields['ratio'] === 'number' ? 'ratio' : firstNumber(fields);
  const measured = figure === undefined ? undefined : Number(fields[figure]);
  const aimed = typeof aim === 'string' || typeof aim === 'number' ? String(aim) : '';
  return {
    bench,
    figure: figure ?? '',
    value: measured,
    aim: aimed,
    met: typeof met === 'boolean' ? met : isMet(measured, aimed),
    extras: Object.fromEntries(Object.entries(fields).filter(([name]) => name !== figure)),
  };
};

const firstNumber = (fields: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(fields).find((name) => typeof fields[name] === 'number');

const aimPattern = /^(>=|≥|<=|≤|>|<)\s*(\d+(?:\.\d+)?)/;

const isMet = (value: number | undefined, aim: string): boolean | undefined => {
  const [, operator, limitText] = aimPattern.exec(aim.trim()) ?? [];
  if (value === undefined || operator === undefined) return undefined;
  const limit = Number(limitText);
  switch (operator) {
    case '>=':
    case '≥':
      return value >= limit;
    case '<=':
    case '≤':
      return value <= limit;
    case '>':
      return value > limit;
    default:
      return value < limit;
  }
};
