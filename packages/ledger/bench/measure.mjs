/** What the benches share: interleaved rounds, medians, one line of JSON a result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds that a call takes. */
export const timed = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};

/** The middle of some numbers. */
export const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('no numbers');
  return middle;
};

/** Runs both sides in turn, the order swapped each round, so that a disk or neighbour that slows down slows both. */
export const interleave = (rounds, sides) => {
  const [ours, bare] = [[], []];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ours.push(sides.ours());
    bare.push(sides.bare());
    if (round % 2 === 1) ours.push(sides.ours());
  }
  return { ours: median(ours), bare: median(bare) };
};

/** Prints one result. */
export const report = (result) => {
  console.log(JSON.stringify(result));
};

/** Two decimals. */
export const rounded = (value) => Math.round(value * 100) / 100;

/** Runs with a temporary folder on the disk of the repository or, with BENCH_DIR, on another one; removes it. */
export const withFolder = async (run) => {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'x-ledger-bench-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const digits = (index) => index.toString(16).padStart(64, '0');

/** An entry of the size and shape that a dispatch leaves: about 500 bytes a line. */
export const sampleEntry = (index) => ({
  event: 'dispatch.received',
  payload: {
    bytes: 2048 + index,
    content_digest: `sha256:${digits(index)}`,
    digest: `sha256:${digits(index + 7)}`,
    dispatch_id: `01J9ZQ4V7N3K8M2R5T6W8X${String(index % 10_000).padStart(4, '0')}`,
    facts: { claims: 2, measurements: [{ name: 'bytes', value: 120_000.5 - index }], status: 'ok' },
    rules: '1',
  },
  timestamp: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
});
