// Catches a question or a closing that was promised and is lost or undone by some kill, power cut or failing write.
import type * as Fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isOpen,
  placementOf,
  recordParts,
  recordText,
  type Placement,
  type Qid,
  type QuestionRecord,
} from '@x/bridge';
import { afterEach, expect, test, vi } from 'vitest';
import {
  afterKill,
  afterPowerCut,
  emptyState,
  layOut,
  type CrashDisk,
  type DiskState,
  type Random,
} from './crash-disk.fixture.ts';
import { openFolders, type Folders } from './folders.ts';
import {
  answered,
  asked,
  asker,
  cancelled,
  failed,
  next,
  ours,
  qidOf,
  started,
} from './record-store.fixture.ts';
import { openRecordStore, type RecordStore } from './record-store.ts';

const { disk, raw } = vi.hoisted(() => {
  const made: CrashDisk = {
    state: { names: new Map(), durableNames: new Map(), changes: [] },
    root: '/nowhere',
    boot: 'boot-0',
    onChange: () => undefined,
    failAfter: -1,
  };
  const kept: { fs: typeof Fs | null } = { fs: null };
  return { disk: made, raw: kept };
});
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>();
  raw.fs = real;
  const fixture = await import('./crash-disk.fixture.ts');
  return fixture.overDisk(real, disk);
});

const runs = process.env['FULL'] === '1' ? 1_000 : 40;
/** Runs that have shown a fault which the first ones do not: their crashes come in a rare order. */
const telling = [257, 505];
const livesPerRun = 4;

/** mulberry32: the same numbers for the same seed. */
const randomOf = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** What may be found of one question. */
interface Expected {
  /** Stored one after the other, the newest last. */
  readonly stored: QuestionRecord[];
  /** The first of them that a power cut may leave. */
  lastingFrom: number;
  /** Being written when a crash came, or refused, after what lasts: the journal may have it all the same. */
  floating: QuestionRecord[];
  mustExist: boolean;
  mayExist: boolean;
}

type Expectations = Map<Qid, Expected>;

const copied = (expectations: Expectations): Expectations =>
  new Map(
    [...expectations].map(([qid, known]) => [
      qid,
      { ...known, stored: [...known.stored], floating: [...known.floating] },
    ]),
  );

interface Crash {
  readonly state: DiskState;
  readonly expectations: Expectations;
  /** The disk has failed: a closed question may lie where it lay before. */
  readonly failed: boolean;
}

interface Life {
  readonly folders: Folders;
  readonly store: RecordStore;
  readonly random: Random;
  readonly expectations: Expectations;
  readonly failed: boolean;
}

const kinds = ['kill', 'power cut'] as const;
type Kind = (typeof kinds)[number];

const texts = (records: readonly QuestionRecord[], kind: Kind): string[] =>
  records.flatMap((record) =>
    kind === 'kill' ? [recordText(record)] : [recordText(record), recordText(started(record))],
  );

const allowed = ({ stored, floating, lastingFrom }: Expected, kind: Kind): string[] =>
  texts([...stored.slice(kind === 'kill' ? -1 : lastingFrom), ...floating], kind);

/** What is struck off in place may be so again after each power cut. */
const sameFront = ({ stored, floating, lastingFrom }: Expected, found: QuestionRecord): QuestionRecord[] =>
  [...stored.slice(lastingFrom), ...floating].filter(
    (record) => recordParts(record).front === recordParts(found).front,
  );

const lies = (folders: Folders, qid: Qid): Placement[] =>
  (['pending', 'closed', 'undelivered'] as const).filter((placement) =>
    raw.fs?.existsSync(join(folders.placed[placement], `${qid}.json`)),
  );

/** Questions that were found whole after a crash. */
let judged = 0;

/** After a start: each question is whole, in one folder, and says nothing older than was promised. */
const judge = ({ folders, store, expectations, failed: hasFailed }: Life, kind: Kind, hint: string): void => {
  for (const [qid, known] of expectations) {
    const located = store.locate(qid);
    if (located === null) {
      expect(known.mustExist, `${hint}: ${qid} is lost`).toBe(false);
      expectations.delete(qid);
      continue;
    }
    expect(known.mayExist, `${hint}: ${qid} was refused and is back`).toBe(true);
    expect(lies(folders, qid), hint).toEqual([located.placement]);
    const { reading } = located;
    if (reading.code !== 'record') throw new Error(`${hint}: ${qid} ${JSON.stringify(reading)}`);
    expect(allowed(known, kind), `${hint}: ${qid}`).toContain(recordText(reading.record));
    judged += 1;
    if (!hasFailed) expect(placementOf(reading.record), hint).toBe(located.placement);
    const since = kind === 'kill' ? known.stored : sameFront(known, reading.record);
    expectations.set(qid, {
      stored: [...since, reading.record],
      lastingFrom: kind === 'kill' ? Math.min(known.lastingFrom, since.length) : 0,
      floating: known.floating,
      mustExist: true,
      mayExist: true,
    });
  }
};

/** While a start is under way, all that the crash before it may have left may still be there. */
const beforeStart = (expectations: Expectations, kind: Kind): Expectations =>
  new Map(
    [...expectations].map(([qid, known]) => {
      const all = [...known.stored.slice(kind === 'kill' ? -1 : known.lastingFrom), ...known.floating];
      const floating = kind === 'kill' ? all : [...all, ...all.map((record) => started(record))];
      const stored = kind === 'kill' ? known.stored : [];
      return [qid, { ...known, stored, lastingFrom: Math.min(known.lastingFrom, stored.length), floating }];
    }),
  );

const pick = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
};

/** What may happen next to a question, of all kinds of change that the desk makes. */
const change = (record: QuestionRecord, random: Random): QuestionRecord => {
  const text = 'é'.repeat(Math.floor(random() * (random() < 0.2 ? 6_000 : 300)));
  const moved = { ...asker, endpoint: `/e${Math.floor(random() * 1_000)}` };
  const [owed] = record.owed;
  const steps: (() => QuestionRecord)[] = isOpen(record.state)
    ? [
        () => started(record),
        () => next(started(record), { event: 'delivered', message_ids: [String(random())] }),
        () => answered(record, `yes ${text}`),
        () => cancelled(record),
        () => failed(record),
      ]
    : [
        () => answered(record, `late ${text}${random()}`),
        () => next(record, { event: 'unreachable' }),
        () => (owed === undefined ? record : next(record, { event: 'done', owed })),
        () => (owed === undefined ? record : { ...record, owed: record.owed.slice(1) }),
      ];
  return pick([...steps, () => next(record, { event: 'repeated', asker: moved })], random)();
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const someTime = async (random: Random): Promise<void> => {
  vi.advanceTimersByTime(pick([0, 30, 300, 1_100], random));
  for (let turns = random() * 6; turns > 0; turns -= 1) await turn();
};

/** One change of one question, as the desk makes it; gives false where it was refused. */
const store = async (life: Life, known: Expected, record: QuestionRecord): Promise<boolean> => {
  const before = known.stored.at(-1);
  known.floating.push(record);
  try {
    if (before === undefined) {
      known.mayExist = true;
      await life.store.create(record);
    } else await life.store.save(record, life.store.locate(record.qid)?.placement ?? placementOf(before));
  } catch {
    known.mayExist = known.mustExist;
    return false;
  }
  known.mustExist = true;
  known.stored.push(record);
  const isLasting = before === undefined || placementOf(before) !== placementOf(record);
  if (isLasting) known.lastingFrom = known.stored.length - 1;
  known.floating = isLasting ? [] : known.floating.filter((other) => other !== record);
  return true;
};

const drive = async (life: Life, qid: Qid): Promise<void> => {
  const { random, expectations } = life;
  const known = expectations.get(qid) ?? {
    stored: [],
    lastingFrom: 0,
    floating: [],
    mustExist: false,
    mayExist: false,
  };
  expectations.set(qid, known);
  for (let steps = random() * 7; steps > 0; steps -= 1) {
    const before = known.stored.at(-1);
    const question = 'ß'.repeat(Math.floor(random() * (random() < 0.2 ? 3_000 : 200)));
    const record = before === undefined ? asked(ours, qid, question) : change(before, random);
    if (record === before) continue;
    if (!(await store(life, known, record)) && before === undefined) return;
    if (random() < 0.6) await someTime(random);
  }
};

let root = '';
let folder = 0;
/** What lasts is the business of the disk that is modelled: the real one need not be waited for. */
const memory = (): string => (raw.fs?.existsSync('/dev/shm') === true ? '/dev/shm' : tmpdir());

const newFolders = (): Folders => {
  folder += 1;
  const opened = openFolders(join(root, String(folder), 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  disk.root = opened.folders.state;
  return opened.folders;
};

/** Lives until its end, and tells what a crash somewhere on the way would have found. */
const live = async (crash: Crash, { kind, seed }: { kind: Kind; seed: number }): Promise<Crash> => {
  const random = randomOf(seed);
  const hint = `seed ${seed}, after a ${kind}`;
  if (kind === 'power cut') disk.boot = `boot-${seed}`;
  disk.state = kind === 'kill' ? crash.state : afterPowerCut(crash.state, random);
  const folders = newFolders();
  if (raw.fs !== null) layOut(raw.fs, disk.state, folders.state);
  const fails = random() < 0.4;
  const life: Life = {
    folders,
    store: openRecordStore(folders, ours),
    random,
    expectations: crash.expectations,
    failed: crash.failed,
  };
  let seen: Crash | null = null;
  let expected = beforeStart(crash.expectations, kind);
  const snapshot = (): Crash => ({
    state: afterKill(disk.state),
    expectations: copied(expected),
    failed: crash.failed || fails,
  });
  let left = Math.floor(random() * random() * 120);
  disk.onChange = () => {
    left -= 1;
    if (left < 0) seen ??= snapshot();
  };
  life.store.sweep();
  judge(life, kind, hint);
  expected = life.expectations;
  disk.failAfter = fails ? Math.floor(random() * 60) : -1;
  const qids = [1, 2, 3].map((number) =>
    qidOf(`01J9ZQ4V7N3K8M2R5T6W${String(seed).padStart(5, '0')}${number}`),
  );
  await Promise.all([...new Set([...life.expectations.keys(), ...qids])].map((qid) => drive(life, qid)));
  await someTime(random);
  await life.store.close();
  disk.failAfter = -1;
  disk.onChange = () => undefined;
  return seen ?? snapshot();
};

afterEach(() => {
  vi.useRealTimers();
  disk.onChange = () => undefined;
  raw.fs?.rmSync(root, { recursive: true, force: true });
});

test('no kill, power cut or failing write anywhere loses, undoes or brings back what it must not [DAEM-12 DAEM-21]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  root = raw.fs?.mkdtempSync(join(memory(), 'bd-crash-')) ?? '';
  judged = 0;
  for (const run of new Set([...Array.from({ length: runs }, (_, at) => at + 1), ...telling])) {
    let crash: Crash = { state: emptyState(), expectations: new Map(), failed: false };
    const random = randomOf(run);
    for (let lives = 0; lives < livesPerRun; lives += 1)
      crash = await live(crash, {
        kind: lives === 0 ? 'power cut' : pick(kinds, random),
        seed: run * 10 + lives,
      });
    raw.fs?.rmSync(join(root, String(folder)), { recursive: true, force: true });
  }
  expect(judged).toBeGreaterThan(runs);
});
