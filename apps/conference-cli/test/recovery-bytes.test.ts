/**
 * The bug to catch: a ledger that lost or changed bytes is read as if nothing had happened, or loses more than the record
 * in flight.
 *
 * FULL=1 cuts a ledger of two rounds at every byte and flips every byte; the fixed part takes a seeded sample of one round.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evolve, INITIAL_STATE } from '@x/conference-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspect } from '../src/recovery/inspect.ts';
import { acceptRecord } from '../src/store/accept-record.ts';
import { openStore } from '../src/store/open-store.ts';
import { readAsWriter, readFolder } from '../src/store/read-folder.ts';
import { readingChair } from '../src/store/reading-chair.ts';
import { conference, makeQuickPlace, removePlace } from './support/crash/command.ts';
import { ledgerOf, readLines } from './support/crash/ledger-file.ts';
import { runWords } from './support/crash/plan.ts';
import { diceOf, FULL, SEED } from './support/crash/seeded.ts';
import { stateText } from './support/crash/state-text.ts';

let place: string;
let folder: string;
let ledger: Buffer;
/** Offset after line n at n, from 0. */
let ends: number[];
/** State after n lines at n. */
let states: string[];

beforeAll(async () => {
  place = makeQuickPlace();
  const words = await runWords(place, { values: { target: FULL ? '>= 71' : '>= 61' } });
  const { code, err } = await conference(words, { cwd: place });
  if (code !== 0) throw new Error(`the run ended with ${code}: ${err}`);
  folder = join(place, 'out');
  ledger = readFileSync(ledgerOf(folder));
  ends = [0];
  for (const [at, byte] of ledger.entries()) if (byte === 0x0a) ends.push(at + 1);
  let state = INITIAL_STATE;
  states = [stateText(state)];
  for (const line of readLines(folder)) {
    const event = acceptRecord(line);
    if (typeof event === 'string') throw new Error(event);
    state = evolve(state, event);
    states.push(stateText(state));
  }
}, 120_000);
afterAll(() => removePlace(place));

const tornNames = (of = folder): string[] => readdirSync(of).filter((name) => name.includes('.torn-'));
function put(bytes: Uint8Array): void {
  for (const name of tornNames()) rmSync(join(folder, name));
  writeFileSync(ledgerOf(folder), bytes);
}

/** Whole lines before a cut; a record that only lacks its newline is whole. */
function wholeLines(length: number): number {
  return ends.filter((end, line) => line > 0 && end - 1 <= length).length;
}

function sampled(size: number, wanted: number): number[] {
  if (FULL) return Array.from({ length: size }, (_, at) => at);
  const dice = diceOf(SEED);
  const edges = ends.flatMap((end) => [end - 2, end - 1, end, end + 1]);
  const drawn = [
    ...edges.filter((_, at) => at % 3 === 0),
    ...Array.from({ length: wanted }, () => dice.roll(size)),
  ];
  return [...new Set(drawn)].filter((at) => at >= 0 && at < size);
}

const open = (keep?: { readonly line: number }, of = folder) =>
  openStore({
    folder: of,
    grant: null,
    create: false,
    lockWaitMs: 1_000,
    purpose: 'test',
    ...(keep === undefined ? {} : { keepVerifiedPrefix: keep }),
  });

async function recovered(): Promise<string> {
  const found = await readAsWriter(folder);
  if (!found.ok) throw new Error(found.failure.message);
  const { chair, close } = readingChair(folder, found.state);
  try {
    const facts = { folder, head: found.head.digest, now: 1_800_000_000_000, tornBytes: found.inFlightBytes };
    const { receipt, receipt_digest, proposals } = await inspect(chair, facts);
    return JSON.stringify({
      receipt,
      receipt_digest,
      proposals: proposals.filter(({ row }) => row !== 'torn_line'),
    });
  } finally {
    close();
  }
}

test(
  'a ledger cut at any byte folds to what its whole lines say, the torn bytes lie beside it, and recovering again gives the same bytes [CONF-24 LEDG-06 RECO-01]',
  { timeout: 3_600_000 },
  async () => {
    for (const length of sampled(ledger.length + 1, 24)) {
      put(ledger.subarray(0, length));
      const whole = wholeLines(length);
      const kept = ends[whole] ?? 0;
      // The receipt is a function of what is compared at every byte; making it twice at each would take hours.
      const twice = whole >= 2 && (!FULL || length % 8 === 0 || ends.includes(length));
      const before = twice ? await recovered() : '';
      const opened = await open();
      if (opened.ok) {
        expect([length, stateText(opened.store.state)]).toEqual([length, states[whole]]);
        await opened.store.close();
      } else {
        // Before the line that holds the grant nobody may write.
        expect([length, opened.failure.code, whole < 1]).toEqual([length, 'GRANT_REQUIRED', true]);
      }
      expect(readFileSync(ledgerOf(folder)).equals(ledger.subarray(0, kept))).toBe(true);
      const torn = tornNames().map((name) => readFileSync(join(folder, name)));
      const rest = length > kept ? [ledger.subarray(kept, length)] : [];
      expect(torn.map(String)).toEqual(rest.map(String));
      if (twice) expect([length, await recovered()]).toEqual([length, before]);
    }
  },
);

test(
  'a ledger with any byte flipped is refused naming that line, or only its last newline was meant: never a silent difference [CONF-23 RECO-11]',
  { timeout: 3_600_000 },
  async () => {
    const dice = diceOf(SEED + 1);
    const flips = sampled(ledger.length, 24).map((at) => ({ at, bit: dice.roll(8) }));
    // A reader looks twice before it calls a line damaged, which is waiting and no work: several at a time.
    const lanes = Array.from({ length: FLIP_LANES }, async (_, lane) => {
      const own = join(place, `flip-${lane}`);
      mkdirSync(own);
      for (const flip of flips.filter((__, index) => index % FLIP_LANES === lane)) await flipped(own, flip);
    });
    expect(await Promise.all(lanes)).toHaveLength(FLIP_LANES);
  },
);

/** Folders in which bytes are flipped side by side. */
const FLIP_LANES = 8;

async function flipped(
  own: string,
  { at, bit }: { readonly at: number; readonly bit: number },
): Promise<void> {
  const bytes = Buffer.from(ledger);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(ledgerOf(own), bytes);
  if (at === ledger.length - 1) {
    const whole = await readAsWriter(own);
    expect([at, whole.ok && stateText(whole.state)]).toEqual([at, states.at(-1)]);
    return;
  }
  const line = ends.findIndex((end) => end > at);
  const found = await readFolder(own);
  if (found.ok) throw new Error(`byte ${at} flipped, and nobody noticed`);
  const { code, damaged, message } = found.failure;
  expect([at, code, damaged?.line]).toEqual([at, 'BLOCKED_STALE_CONFERENCE_STATE', line]);
  expect(message).toContain(`line ${line}`);
  const refused = await open(undefined, own);
  expect([at, refused.ok]).toEqual([at, false]);
  expect([at, readFileSync(ledgerOf(own)).equals(bytes), tornNames(own)]).toEqual([at, true, []]);
}

test(
  'keep_verified_prefix sets aside exactly what stands from the damaged line on [RECO-11]',
  { timeout: 3_600_000 },
  async () => {
    for (const [line, end] of ends.entries()) {
      if (line < 3 || (!FULL && line % 7 !== 0)) continue;
      const bytes = Buffer.from(ledger);
      bytes[end - 20] = (bytes[end - 20] ?? 0) ^ 1;
      put(bytes);
      const other = await open({ line: line + 1 });
      expect([line, other.ok]).toEqual([line, false]);
      const opened = await open({ line });
      if (!opened.ok) throw new Error(opened.failure.message);
      expect(stateText(opened.store.state)).toBe(states[line - 1]);
      await opened.store.close();
      const [torn] = tornNames();
      expect(readFileSync(join(folder, torn ?? '')).equals(bytes.subarray(ends[line - 1]))).toBe(true);
    }
  },
);

test(
  'the built command recovers a cut ledger twice to the same bytes, and changes nothing by it [CLI-11 CONF-24]',
  { timeout: 600_000 },
  async () => {
    const dice = diceOf(SEED + 2);
    for (let sample = 0; sample < (FULL ? 40 : 3); sample += 1) {
      put(ledger.subarray(0, (ends[2] ?? 0) + dice.roll(ledger.length - (ends[2] ?? 0))));
      const copy = join(place, `copy-${sample}`);
      mkdirSync(copy);
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, 'ledger.lock'), { force: true });
      const before = readFileSync(ledgerOf(copy));
      const at = '2027-01-15T08:00:00.000Z';
      const first = await conference(['recover', copy, '--json', '--at', at], { cwd: place });
      const second = await conference(['recover', copy, '--json', '--at', at], { cwd: place });
      expect(second).toEqual(first);
      expect(first.out).not.toBe('');
      expect(readFileSync(ledgerOf(copy)).equals(before)).toBe(true);
      expect(readdirSync(copy).filter((name) => name.includes('.torn-') || name === 'ledger.lock')).toEqual(
        [],
      );
    }
    expect(existsSync(folder)).toBe(true);
  },
);
