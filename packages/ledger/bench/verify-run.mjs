/**
 * Verifying a ledger of 1,000,000 lines (BENCH_LINES) against splitting, JSON.parse and SHA-256 over the same lines in the
 * same run, in turns. The ratio is of processor time (user and system, all threads), which neighbours on the machine change
 * least; 1 is the raw limit. Memory is the peak of a process that only verifies.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyHead, encodeLine } from '@x/ledger';
import { nodeSha256, verifyLedger } from '@x/ledger/node';
import { median, report, rounded, sampleEntry, withFolder } from './measure.mjs';

const lines = Number(process.env['BENCH_LINES'] ?? 1_000_000);
const rounds = 5;
const chunkBytes = 256 * 1024;
const megabyte = 1024 * 1024;

const makeLedger = (path) => {
  const fd = openSync(path, 'w');
  let prev = emptyHead.digest;
  let text = '';
  for (let index = 0; index < lines; index++) {
    const line = encodeLine({ ...sampleEntry(index), seq: index + 1, prev }, nodeSha256);
    if (line.status !== 'encoded') throw new Error(line.found);
    prev = line.digest;
    text += line.text;
    if (text.length > megabyte || index === lines - 1) {
      writeSync(fd, text);
      text = '';
    }
  }
  closeSync(fd);
};

/** The raw limit: the same bytes split at newlines, each line parsed and hashed; nothing is compared. */
const bare = (path) => {
  const fd = openSync(path, 'r');
  let rest = Buffer.alloc(0);
  let seen = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(fd, chunk);
    if (count === 0) break;
    const bytes =
      rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, at)) {
      const line = bytes.subarray(at, end);
      JSON.parse(line.toString('utf8'));
      hash('sha256', line);
      seen += 1;
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
  closeSync(fd);
  if (seen !== lines) throw new Error(`${seen} lines`);
};

const verify = async (path) => {
  let seen = 0;
  const outcome = await verifyLedger(path, { onRecord: () => (seen += 1) });
  if (outcome.status === 'refused') throw new Error(outcome.message);
  if (seen !== lines) throw new Error(`${seen} lines`);
};

/** Milliseconds of processor time. */
const busy = async (run) => {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const [, , mode, file] = process.argv;
if (mode === 'only' && file !== undefined) {
  await verify(file);
  console.log(process.resourceUsage().maxRSS / 1024);
} else {
  await withFolder(async (folder) => {
    const path = join(folder, 'million.jsonl');
    makeLedger(path);
    const [ours, raw] = [[], []];
    for (let round = 0; round < rounds; round++) {
      raw.push(await busy(() => bare(path)));
      ours.push(await busy(() => verify(path)));
    }
    const command = [fileURLToPath(import.meta.url), 'only', path];
    const peak = Number(execFileSync(process.execPath, command, { encoding: 'utf8' }));
    const [oursMs, bareMs] = [median(ours), median(raw)];
    report({
      bench: 'ledger.verify',
      ratio: rounded(oursMs / bareMs),
      aim: '<= 1.3',
      lines,
      ours_cpu_ms: Math.round(oursMs),
      bare_cpu_ms: Math.round(bareMs),
    });
    report({ bench: 'ledger.verify-memory', peak_mb: Math.round(peak), aim: '< 200', lines });
  });
}
