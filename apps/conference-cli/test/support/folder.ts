/** What stands in a conference folder. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An event of a ledger line, read as plain JSON: the tests look at the file, not at our own reader. */
export interface Line {
  readonly seq: number;
  readonly event: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function readEvents(folder: string): Line[] {
  const text = readFileSync(join(folder, 'conference_events.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line); // written by the command under test
}

export function eventsNamed(folder: string, name: string): Line['payload'][] {
  return readEvents(folder).flatMap(({ event, payload }) => (event === name ? [payload] : []));
}

/** Every file below a folder with the digest of its bytes, in order of their paths. */
export function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, entry);
    if (lstatSync(path).isFile())
      found[entry] = createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return found;
}

export function modesOf(folder: string): Set<string> {
  const modes = new Set<string>();
  for (const entry of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const stats = lstatSync(join(folder, entry));
    modes.add(`${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`);
  }
  return modes;
}
