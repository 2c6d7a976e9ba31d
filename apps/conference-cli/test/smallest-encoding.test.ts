/**
 * The example conference's children, fed by hand: what they send is what the protocol asks for, they go on from each
 * other's validated findings, and the planted fault cannot pass.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  canonicalJson,
  charterSchema,
  digestOf,
  FORBIDDEN_ACTIONS,
  LIMIT_DEFAULTS,
  packetSchema,
  type PosterPacket,
  type ResearchPacket,
  type ReviewerPacket,
  type Role,
  type SynthesisPacket,
} from '@x/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

const EXAMPLE = new URL('../examples/smallest-encoding/', import.meta.url);
const CORPUS = fileURLToPath(new URL('../../../tooling/requirements.tsv', import.meta.url));

const load = async (path: string): Promise<object> => import(new URL(path, EXAMPLE).href);
// The example has no declarations; what these tests call is declared here.
const { readRecipe } = (await load('encoding/recipe.mjs')) as {
  readonly readRecipe: (text: string) => { readonly chain: readonly unknown[] } | null;
};

let folder: string;
let corpus: string;
let first: Awaited<ReturnType<typeof oneRound>>;

/** Enough of the real file that every lane finds something, little enough that a run takes seconds. */
const CORPUS_LINES = 80;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smallest-encoding-'));
  corpus = join(folder, 'corpus.tsv');
  await writeFile(corpus, (await readFile(CORPUS, 'utf8')).split('\n').slice(0, CORPUS_LINES).join('\n'));
  first = await oneRound();
});
afterAll(() => rm(folder, { recursive: true }));

const SHAPE = { limits: LIMIT_DEFAULTS, mode: 'metric' } as const;
let drawn = 0;

function draw(): string {
  drawn += 1;
  return `01J${String(drawn).padStart(23, '0')}`;
}

interface Item {
  readonly source: string;
  readonly excerpt: string;
}

function charterOf(
  role: Role,
  round: number,
  items: readonly Item[],
  more: object = {},
): Record<string, unknown> {
  const charter = {
    dispatch_id: draw(),
    conference_id: '01J0000000000000000000000C',
    instructions: `${role}/1`,
    round,
    role,
    objective: 'Find the smallest encoding.',
    success_definition: {
      mode: 'metric',
      metric: { name: 'encoded_bytes', direction: 'minimize', target: '<= 100', unit: '' },
      criteria: [],
    },
    read_context: items.map((item, at) => ({ id: `E${at + 1}`, digest: digestOf(item.excerpt), ...item })),
    allowed_read_roots: [corpus],
    forbidden_actions: [...FORBIDDEN_ACTIONS],
    delegation_allowed: false,
    deadline: '2030-01-01T00:00:00.000Z',
    cancellation: 'stop',
    output: 'packet schema only',
    output_schema: {},
    ...more,
  };
  expect(charterSchema.safeParse(charter).error).toBeUndefined();
  return charter;
}

const researcher = (lane: string, round = 1, items: readonly Item[] = [], more: object = {}) =>
  charterOf('researcher', round, items, { lane, contrarian: lane === 'C', iteration_allowance: 5, ...more });

/** Runs the child as the exec host does, and reads its packet by the schema of the role. */
async function packetOf<Packet>(
  charter: Record<string, unknown>,
  env: Record<string, string> = {},
): Promise<Packet> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('child.mjs', EXAMPLE))], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(charter));
  let text = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout) text += String(chunk);
  const packet: unknown = JSON.parse(text);
  const read = packetSchema(charterSchema.parse(charter).role, SHAPE).safeParse(packet);
  expect(read.error).toBeUndefined();
  expect(packet).toMatchObject({ dispatch_id: charter['dispatch_id'], role: charter['role'] });
  return packet as Packet; // the schema of the role has just accepted it
}

/** A research packet as the root shows it: its entries under refs, where asked only those with that verdict. */
function shown(
  { dispatch_id, status, claims, measurements }: ResearchPacket,
  head: { lane: string; round: number },
  verdicts: ReadonlyMap<string, string> = new Map(),
  only?: string,
): Item {
  const entries = (kind: 'c' | 'm', list: readonly object[]) =>
    list
      .map((entry, at) => ({ ref: `${dispatch_id}#${kind}${at + 1}`, ...entry }))
      .map((entry) => ({
        ...entry,
        ...(verdicts.size === 0 ? {} : { verdict: verdicts.get(entry.ref) ?? '' }),
      }))
      .filter(({ ref }) => only === undefined || verdicts.get(ref) === only);
  const excerpt = {
    dispatch_id,
    ...head,
    status,
    claims: entries('c', claims),
    measurements: entries('m', measurements),
  };
  return { source: `packet ${dispatch_id}`, excerpt: canonicalJson(JSON.parse(JSON.stringify(excerpt))) };
}

async function oneRound() {
  const packets = await Promise.all(
    ['A', 'B', 'C'].map((lane) => packetOf<ResearchPacket>(researcher(lane))),
  );
  const items = packets.map((packet, at) => shown(packet, { lane: 'ABC'.charAt(at), round: 1 }));
  const poster = await packetOf<PosterPacket>(charterOf('poster', 1, items));
  const posterItem = {
    source: `poster ${poster.dispatch_id}`,
    excerpt: canonicalJson(JSON.parse(JSON.stringify(poster))),
  };
  const review = await packetOf<ReviewerPacket>(charterOf('reviewer', 1, [posterItem, ...items]));
  const verdicts = new Map(review.verdicts.map(({ claim_ref = '', verdict }) => [claim_ref, verdict]));
  return { packets, poster, review, verdicts };
}

test('review validates every measurement of a round but the planted one, claim and size alike', () => {
  const { packets, review, verdicts } = first;
  const refs = packets.flatMap(({ dispatch_id, claims, measurements }) => [
    ...claims.map((_, at) => `${dispatch_id}#c${at + 1}`),
    ...measurements.map((_, at) => `${dispatch_id}#m${at + 1}`),
  ]);
  expect([...verdicts.keys()].sort()).toEqual(refs.sort());
  expect(refs).toHaveLength(30);
  const overturned = review.verdicts.filter(({ verdict }) => verdict !== 'validated');
  expect(overturned.map(({ verdict }) => verdict)).toEqual(['overturned', 'overturned']);
  const planted = packets[2]?.dispatch_id;
  expect(overturned.map(({ claim_ref }) => claim_ref)).toEqual([`${planted}#c1`, `${planted}#m1`]);
  expect(overturned[0]?.evidence).toContain('decoding gives another text');
});

test('the planted size would have won: it is the smallest of its round, and the poster asks about it alone', () => {
  const { packets, poster } = first;
  const sizes = packets.flatMap(({ measurements }) => measurements.map(({ value }) => Number(value)));
  const planted = packets[2]?.measurements[0];
  expect(Math.min(...sizes)).toBe(Number(planted?.value));
  const asked = poster.review_questions.filter((question) => question.includes('every byte'));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(planted?.provenance ?? 'nothing planted');
  expect(poster.summaries.map(({ dispatch_id }) => dispatch_id)).toEqual(
    packets.map(({ dispatch_id }) => dispatch_id),
  );
});

test('a validated verdict rests on evidence of its own, not on the words under review', () => {
  const { packets, review } = first;
  const own = new Set(
    packets.flatMap(({ claims }) => claims.flatMap(({ claim, evidence }) => [claim, evidence])),
  );
  for (const { evidence } of review.verdicts) {
    expect(own.has(evidence)).toBe(false);
    expect(evidence).toMatch(/^Made again from its recipe it takes \d+ bytes/);
  }
});

test('later rounds go on from validated findings of other lanes and beat them, and never see the overturned one', async () => {
  const { packets, verdicts } = first;
  const validated = packets.map((packet, at) =>
    shown(packet, { lane: 'ABC'.charAt(at), round: 1 }, verdicts, 'validated'),
  );
  const measured = packets.flatMap(({ measurements, dispatch_id }) =>
    measurements.filter((_, at) => verdicts.get(`${dispatch_id}#m${at + 1}`) === 'validated'),
  );
  const best = Math.min(...measured.map(({ value }) => Number(value)));
  const [a, c] = await Promise.all(
    ['A', 'C'].map((lane) => packetOf<ResearchPacket>(researcher(lane, 2, validated))),
  );
  const known = new Set(measured.map(({ provenance }) => provenance));
  for (const { provenance } of [...(a?.measurements ?? []), ...(c?.measurements ?? [])]) {
    expect(known.has(provenance), provenance).toBe(false);
    expect(provenance).not.toContain('sorted-words');
  }
  // Lane A itself knows no transform: what stands before its coder it has from lane C.
  expect(a?.measurements.every(({ provenance }) => (readRecipe(provenance)?.chain.length ?? 0) > 0)).toBe(
    true,
  );
  expect(Math.min(...(c?.measurements ?? []).map(({ value }) => Number(value)))).toBeLessThan(best);
  expect(c?.claims.some(({ evidence }) => /\[E[1-3]\]/.test(evidence))).toBe(true);
});

test('the same charter gives the same packet under another clock zone, language and id', async () => {
  const charter = researcher('C');
  const other = { ...charter, dispatch_id: draw(), deadline: '2031-01-01T00:00:00.000Z' };
  const [one, two] = await Promise.all([
    packetOf<ResearchPacket>(charter, { TZ: 'Asia/Kathmandu', LC_ALL: 'C' }),
    packetOf<ResearchPacket>(other, { TZ: 'America/Lima', LC_ALL: 'uk_UA.UTF-8' }),
  ]);
  expect({ ...two, dispatch_id: one.dispatch_id }).toEqual(one);
});

test('a size one byte off is overturned, and a recipe that cannot be made again is challenged', async () => {
  const { packets } = first;
  const [a] = packets;
  if (a === undefined) throw new Error('lane A sent nothing');
  const [one, two] = a.measurements;
  const doctored = {
    ...a,
    claims: a.claims
      .slice(0, 2)
      .map((claim, at) => (at === 0 ? { ...claim, claim: 'It is smaller.' } : claim)),
    measurements: [
      { name: 'encoded_bytes', value: String(Number(one?.value) - 1), provenance: one?.provenance ?? '' },
      { name: 'encoded_bytes', value: two?.value ?? '', provenance: 'my own compressor' },
    ],
  };
  const review = await packetOf<ReviewerPacket>(
    charterOf('reviewer', 1, [shown(doctored, { lane: 'A', round: 1 })]),
  );
  expect(review.verdicts.map(({ verdict }) => verdict)).toEqual([
    'challenged',
    'validated',
    'overturned',
    'challenged',
  ]);
});

test('a lane climbs until nothing new is left, then measures its best again and says that it is stuck', async () => {
  const items: Item[] = [];
  const sizes: number[] = [];
  for (let nth = 1; nth <= 12; nth++) {
    const packet = await packetOf<ResearchPacket>(researcher('A', nth, items, { iteration_allowance: 40 }));
    const best = Math.min(...packet.measurements.map(({ value }) => Number(value)));
    if (packet.stuck_level === 3) {
      expect(nth).toBeGreaterThan(2);
      expect(packet.measurements).toHaveLength(1);
      expect(best).toBe(Math.min(...sizes));
      return;
    }
    const improved = best < Math.min(...sizes);
    expect(packet.stuck_level === 0).toBe(improved);
    sizes.push(best);
    const verdicts = new Map(
      packet.measurements.map((_, at) => [`${packet.dispatch_id}#m${at + 1}`, 'validated']),
    );
    items.push(shown(packet, { lane: 'A', round: nth }, verdicts, 'validated'));
  }
  expect.fail('lane A never came to an end');
});

test('what made an encoding much larger once, or changed no byte, is not repeated on other transforms', async () => {
  const measured = (sizes: Readonly<Record<string, number>>): Item => {
    const [one] = first.packets;
    if (one === undefined) throw new Error('lane A sent nothing');
    const measurements = Object.entries(sizes).map(([provenance, size]) => ({
      name: 'encoded_bytes',
      value: String(size),
      provenance,
    }));
    return shown({ ...one, claims: [], measurements }, { lane: 'C', round: 1 });
  };
  const known = { 'brotli quality 11 lgwin 22': 3000, 'words 80, brotli quality 11 lgwin 22': 2900 };
  const proposals = async (sizes: Readonly<Record<string, number>>): Promise<string[]> => {
    const charter = researcher('A', 2, [measured(sizes)], { iteration_allowance: 40 });
    const packet = await packetOf<ResearchPacket>(charter);
    return packet.measurements.map(({ provenance }) => provenance);
  };
  const move = 'words 80, brotli quality 11 lgwin 22 contexts off';
  expect(await proposals(known)).toContain(move);
  expect(await proposals({ ...known, 'brotli quality 11 lgwin 22 contexts off': 3010 })).toContain(move);
  expect(await proposals({ ...known, 'brotli quality 11 lgwin 22 contexts off': 3100 })).not.toContain(move);
  expect(await proposals({ ...known, 'brotli quality 11 lgwin 22 contexts off': 3000 })).not.toContain(move);
});

test('without a file to read a child is blocked and says why', async () => {
  for (const charter of [
    researcher('A', 1, [], { allowed_read_roots: [] }),
    charterOf('reviewer', 1, [], { allowed_read_roots: [join(folder, 'absent')] }),
  ]) {
    const packet = await packetOf<ResearchPacket>(charter);
    expect(packet.status).toBe('blocked');
    expect(packet.uncertainties).toEqual([
      'no file to encode: expected an allowed read root that names a file',
    ]);
  }
});

test('the synthesis establishes only what is validated and says what was overturned', async () => {
  const { packets, verdicts } = first;
  const items = packets.map((packet, at) => shown(packet, { lane: 'ABC'.charAt(at), round: 1 }, verdicts));
  const limits = { source: 'limitations', excerpt: '["Round 1 was reviewed without a poster."]' };
  const packet = await packetOf<SynthesisPacket>(charterOf('synthesis', 1, [...items, limits]));
  const refs = packet.established.flatMap(({ claim_refs }) => claim_refs);
  expect(refs.length).toBeGreaterThan(2);
  expect(refs.every((ref) => verdicts.get(ref) === 'validated')).toBe(true);
  expect(packet.established[1]?.finding).toContain('gzip level 9');
  expect(packet.contradictions).toHaveLength(1);
  expect(packet.uncertainties).toContain('Round 1 was reviewed without a poster.');
});
