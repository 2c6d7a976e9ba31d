/** A ledger as lines of a file, read as plain JSON: the tests look at what stands there, not at our own reader. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Line {
  readonly digest: string;
  readonly seq: number;
  readonly event: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const ledgerOf = (folder: string): string => join(folder, 'conference_events.jsonl');

export function readLines(folder: string): Line[] {
  return readFileSync(ledgerOf(folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line); // written by the command under test
}

export function payloads(folder: string, event: string): Record<string, unknown>[] {
  return readLines(folder).flatMap((line) => (line.event === event ? [line.payload] : []));
}
