// Catches a line lost to a rotation, to another daemon, or to a disk that was full in the middle of one.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { logRecord, type LogRecord } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openContractLog } from './contract-log.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-log-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const line = (qid: string): LogRecord => logRecord(0, { qid, event: 'answered' });
const files = (): string[] => readdirSync(root).filter((file) => file.endsWith('.ndjson'));
const qids = (): string[] =>
  files().flatMap(
    (file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => (JSON.parse(text) as LogRecord).qid), // our own lines
  );

test('a line is in the file when append returns, and the file is ours alone [BRID-28]', () => {
  const path = join(root, 'log.ndjson');
  const log = openContractLog(path);
  log.append(line('a'));
  expect(readFileSync(path, 'utf8')).toBe('{"at":"1970-01-01T00:00:00.000Z","qid":"a","event":"answered"}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  log.close();
});

test('rotation by size keeps every line and at most the named number of old files [BRID-28]', () => {
  const path = join(root, 'log.ndjson');
  const log = openContractLog(path, { bytesMax: 1_000, rotatedMax: 1_000 });
  for (let at = 0; at < 200; at += 1) log.append(line(`q${at}`));
  expect(files().length).toBeGreaterThan(5);
  expect(new Set(qids()).size).toBe(200);
  log.close();
  const bounded = openContractLog(path, { bytesMax: 1_000, rotatedMax: 3 });
  for (let at = 0; at < 200; at += 1) bounded.append(line(`r${at}`));
  expect(files()).toHaveLength(4);
  bounded.close();
});

test(
  'several processes that append and rotate one log at once lose no line [BRID-28 DAEM-18]',
  { timeout: 60_000 },
  async () => {
    const writers = 4;
    const each = process.env['FULL'] === '1' ? 5_000 : 600;
    const script = join(root, 'writer.mjs');
    await build({
      stdin: {
        contents: `
        import { openContractLog } from './contract-log.ts';
        const [, , path, who] = process.argv;
        const log = openContractLog(path, { bytesMax: 4000, rotatedMax: 100000 });
        for (let at = 0; at < ${each}; at += 1) log.append({ at: 't', qid: who + '-' + at, event: 'answered' });
      `,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const path = join(root, 'log.ndjson');
    // A rotation that was killed left its lock behind.
    writeFileSync(join(root, 'log.lock'), '');
    const ends = await Promise.all(
      Array.from(
        { length: writers },
        (_, who) =>
          new Promise((resolve) =>
            spawn(process.execPath, [script, path, `w${who}`], { stdio: 'inherit' }).on('exit', resolve),
          ),
      ),
    );
    expect(ends).toEqual(Array.from({ length: writers }, () => 0));
    const found = qids();
    expect(found).toHaveLength(writers * each);
    expect(new Set(found).size).toBe(writers * each);
  },
);

test('after a line that was cut short the next one starts on its own line [BRID-28]', () => {
  const path = join(root, 'log.ndjson');
  writeFileSync(path, '{"at":"x","qi');
  const log = openContractLog(path);
  log.append(line('b'));
  expect(readFileSync(path, 'utf8').split('\n')[1]).toContain('"qid":"b"');
  log.close();
});

test('a log that somebody moved away is made anew, not written to in secret [BRID-28]', () => {
  const path = join(root, 'log.ndjson');
  const log = openContractLog(path);
  log.append(line('a'));
  rmSync(path);
  log.append(line('b'));
  expect(qids()).toEqual(['b']);
  log.close();
});

test('what is missing of the lines owed is found in all files, rotated ones included [BRID-28]', async () => {
  const path = join(root, 'log.ndjson');
  const log = openContractLog(path, { bytesMax: 300 });
  for (let at = 0; at < 10; at += 1) log.append(line(`q${at}`));
  appendFileSync(path, 'not json\n');
  const asked = [line('q0'), line('q9'), line('never')];
  expect(await log.missing(asked)).toEqual([line('never')]);
  expect(await log.missing([])).toEqual([]);
  log.close();
});
