/**
 * The bug to catch: a root that is an agent sends what is not recorded, loses what a child sent, or is told something that did
 * not happen.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  conference,
  json,
  main,
  makeQuickPlace,
  removePlace,
  start,
  type Action,
} from './support/crash/command.ts';
import { payloads, readLines } from './support/crash/ledger-file.ts';
import { dispatch, packetFor, proceed, submit } from './support/crash/packets.ts';
import { confirmed } from './support/crash/plan.ts';
import { FULL } from './support/crash/seeded.ts';
import { keep, type Stage } from './support/crash/stage.ts';

// Dozens of processes a test, on a machine that may have others to run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let place: string;
let folder: string;
/** Confirmed; and three lanes out. */
let fresh: Stage;
let out: Stage;
let lanes: readonly Action[];

beforeAll(async () => {
  place = makeQuickPlace();
  folder = await confirmed(place, { target: '>= 61', lanes: 3, timeout: '2h' });
  fresh = keep(folder, join(place, 'kept-fresh'));
  lanes = await dispatch(folder);
  out = keep(folder, join(place, 'kept-out'));
}, 120_000);
afterAll(() => removePlace(place));

const here = () => ({ cwd: place });
const verb = (...words: string[]) => json(words, here());
const id = (at: number): string => lanes[at]?.dispatch_id ?? '';
const packet = (at: number, behaviours: readonly string[] = []): string =>
  packetFor(lanes[at]?.charter, behaviours);

test('next previews the ids that dispatch then records, and changes nothing; --open prints the recorded charters again, byte for byte [CLI-23 CLI-08]', async () => {
  fresh.restore();
  const ledger = readFileSync(join(folder, 'conference_events.jsonl'));
  const next = await verb('next', folder);
  expect(next.document.actions?.map(({ recorded }) => recorded)).toEqual([false, false, false]);
  expect(readFileSync(join(folder, 'conference_events.jsonl')).equals(ledger)).toBe(true);
  const first = await verb('dispatch', folder, '--slots', '2');
  expect(first.document.actions?.map(({ dispatch_id, recorded }) => [dispatch_id, recorded])).toEqual(
    next.document.actions?.slice(0, 2).map(({ dispatch_id }) => [dispatch_id, true]),
  );
  // Killed between record and print: the same bytes are printed again.
  const [open, again] = [await verb('dispatch', folder, '--open'), await verb('dispatch', folder, '--open')];
  expect(JSON.stringify(open.document.actions)).toBe(JSON.stringify(first.document.actions));
  expect(again.document).toEqual(open.document);
  // Both slots are taken.
  expect((await verb('dispatch', folder, '--slots', '2')).document.actions).toEqual([]);
  expect((await verb('dispatch', folder, '--slots', '3')).document.actions).toHaveLength(1);
  expect(payloads(folder, 'dispatch.issued')).toHaveLength(3);
});

test('submit tells what became of a packet: received, failed, duplicate, stale or conflict, with its digest and exit code [CLI-09 PROTO-34]', async () => {
  out.restore();
  const received = await submit(folder, id(0), packet(0));
  expect([received.code, received.document]).toEqual([
    0,
    {
      dispatch_id: id(0),
      result: 'received',
      digest: expect.stringMatching(/^sha256:/),
      state: 'COLLECTING',
      phase: 'research',
    },
  ]);
  const duplicate = await submit(folder, id(0), packet(0));
  expect([duplicate.code, duplicate.document]).toEqual([0, { ...received.document, result: 'duplicate' }]);
  const failed = await submit(folder, id(1), 'I could not do it.');
  expect([failed.code, failed.document.result, failed.document.code]).toEqual([
    5,
    'failed',
    'PACKET_MALFORMED',
  ]);
  const stale = await submit(folder, '01ZZZZZZZZZZZZZZZZZZZZZZZZ', packet(2));
  expect([stale.code, stale.document.result, stale.document.code]).toEqual([5, 'stale', 'unknown_dispatch']);
  const conflict = await submit(folder, id(0), `${packet(0)}\n`);
  expect([conflict.code, conflict.document.result, conflict.document.code, conflict.document.state]).toEqual([
    4,
    'conflict',
    'BLOCKED_DISPATCH_REPLAY_CONFLICT',
    'BLOCKED',
  ]);
  // The first receipt is as it was, and what is still out is booked all the same.
  expect(payloads(folder, 'dispatch.received')).toMatchObject([
    { dispatch_id: id(0), digest: received.document.digest },
  ]);
  expect((await submit(folder, id(2), packet(2))).document.result).toBe('received');
  const ask = (await verb('next', folder)).document.actions?.[0];
  expect(ask?.options?.map(({ id: option }) => option)).toEqual(['keep_first', 'stop']);
  expect((await verb('decide', folder, ask?.decision_id ?? '', 'keep_first')).document.state).toBe(
    'COLLECTING',
  );
});

test('a packet that names another issued dispatch is the slip of the caller: exit 2, nothing recorded [CLI-26]', async () => {
  out.restore();
  const before = readLines(folder).length;
  const slip = await submit(folder, id(0), packet(1));
  expect([slip.code, slip.document.error?.code]).toEqual([2, 'OTHER_DISPATCH']);
  const batch = `${JSON.stringify({ dispatch_id: id(2), packet: packet(2) })}\n${JSON.stringify({ dispatch_id: id(0), packet: packet(1) })}\n`;
  const ran = await conference(['submit', folder, '--batch', '-'], { ...here(), input: batch });
  expect(ran.code).toBe(2);
  expect(readLines(folder)).toHaveLength(before);
  // One that names nobody that was issued is judged: it is a result of this id, and a wrong one.
  const stranger = await submit(folder, id(0), packet(0).replaceAll(id(0), '01ZZZZZZZZZZZZZZZZZZZZZZZZ'));
  expect([stranger.code, stranger.document.code]).toEqual([5, 'PACKET_IDENTITY']);
});

test('a batch is one commit, its packets are the texts that stand in its lines, and a bad line records nothing [CLI-09]', async () => {
  out.restore();
  const before = readLines(folder).length;
  const good = `{ "dispatch_id": "${id(0)}", "cost": "0.25", "packet": ${packet(0)} }`;
  const twice = `{"packet":${packet(1).trim().replace('"stuck_level":0', '"stuck_level":0,"stuck_level":1')},"dispatch_id":"${id(1)}"}`;
  for (const bad of [
    'no json',
    '[1]',
    `{"dispatch_id":"${id(1)}"}`,
    `{"dispatch_id":"${id(1)}","packet":"x","cost":"cheap"}`,
    `{"dispatch_id":"${id(1)}","packet":"x","cost":0.5}`,
    `{"dispatch_id":"${id(1)}","packet":"x","packet":"y"}`,
    `{"dispatch_id":"${id(1)}","packet":"x","other":1}`,
  ]) {
    const file = join(place, 'batch.ndjson');
    writeFileSync(file, `${good.replaceAll('\n', '')}\n${bad}\n`);
    const refused = await verb('submit', folder, '--batch', file);
    expect([bad, refused.code, refused.document.error?.code]).toEqual([bad, 2, 'BATCH_INVALID']);
    expect(refused.document.error?.message).toContain('line 2');
  }
  expect(readLines(folder)).toHaveLength(before);
  const lines = [
    good.replaceAll('\n', ''),
    twice,
    '',
    JSON.stringify({ dispatch_id: id(2), packet: `Here:\n\`\`\`json\n${packet(2)}\`\`\`\n` }),
  ];
  const ran = await conference(['submit', folder, '--batch', '-', '--json'], {
    ...here(),
    input: lines.join('\n'),
  });
  expect(JSON.parse(ran.out)).toMatchObject({
    results: [
      { dispatch_id: id(0), result: 'received' },
      // JSON.parse would have taken the second of two equal keys.
      { dispatch_id: id(1), result: 'failed', code: 'PACKET_MALFORMED' },
      { dispatch_id: id(2), result: 'received' },
    ],
  });
  expect(ran.code).toBe(5);
  expect(payloads(folder, 'dispatch.received')[0]).toMatchObject({ dispatch_id: id(0), cost: '0.25' });
});

test('what a child cost is kept with its result [CLI-09]', async () => {
  out.restore();
  expect((await submit(folder, id(0), packet(0), ['--cost', '1.5'])).code).toBe(0);
  expect(payloads(folder, 'dispatch.received')).toMatchObject([{ cost: '1.5' }]);
  for (const cost of ['-1', '1e3', '']) {
    const ran = await conference(['submit', folder, id(1), '-', `--cost=${cost}`], {
      ...here(),
      input: packet(1),
    });
    expect([cost, ran.code]).toEqual([cost, 2]);
  }
  expect(payloads(folder, 'dispatch.received')).toHaveLength(1);
});

test(
  '200 MB on standard input is an oversized packet in bounded memory, and a batch of it is refused whole',
  { timeout: 120_000 },
  async () => {
    out.restore();
    const flood = async (words: readonly string[]) => {
      const child = spawn(
        'sh',
        [
          '-c',
          'head -c 200000000 /dev/zero | tr "\\0" "[" | "$@"',
          'sh',
          process.execPath,
          '--max-old-space-size=128',
          main,
          ...words,
        ],
        {
          cwd: place,
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const code = await new Promise((resolve) => child.on('close', resolve));
      return {
        code,
        document: JSON.parse(text) as { readonly code?: string; readonly error?: { readonly code: string } },
      };
    };
    const packetFlood = await flood(['submit', folder, id(0), '-', '--json']);
    expect([packetFlood.code, packetFlood.document.code]).toEqual([5, 'PACKET_OVERSIZED']);
    const batchFlood = await flood(['submit', folder, '--batch', '-', '--json']);
    expect([batchFlood.code, batchFlood.document.error?.code]).toEqual([2, 'BATCH_INVALID']);
  },
);

test('a child that is slow to write keeps nobody from the ledger', async () => {
  out.restore();
  const slow = spawn(process.execPath, [main, 'submit', folder, id(0), '-', '--json'], { cwd: place });
  slow.stdin.write(packet(0).slice(0, 10));
  const other = await submit(folder, id(1), packet(1), ['--lock-wait', '0']);
  expect(other.document.result).toBe('received');
  const ended = new Promise((resolve) => slow.on('close', resolve));
  slow.stdin.end(packet(0).slice(10));
  expect(await ended).toBe(0);
  expect(payloads(folder, 'dispatch.received')).toHaveLength(2);
});

test('unreadable input is told by its name and records nothing [CLI-09]', async () => {
  out.restore();
  for (const file of ['missing.json', place]) {
    const ran = await verb('submit', folder, id(0), file);
    expect([ran.code, ran.document.error?.code]).toEqual([2, 'FILE_UNREADABLE']);
  }
  expect((await verb('submit', folder)).document.error?.code).toBe('ID_MISSING');
  expect((await verb('submit', join(place, 'nowhere'), id(0), join(folder, 'conference.md'))).code).toBe(2);
});

test('expire times out what is overdue and nothing else, by its name [CLI-08]', async () => {
  out.restore();
  expect((await verb('expire', folder)).document.timed_out).toEqual([]);
  const own = join(place, 'short');
  mkdirSync(own);
  const short = await confirmed(place, { timeout: '1s' }, 'short');
  const sent = await dispatch(short);
  const last = Math.max(
    ...payloads(short, 'dispatch.issued').map(({ deadline }) => Date.parse(String(deadline))),
  );
  while (Date.now() <= last) await new Promise((resolve) => setTimeout(resolve, 20));
  const expired = await verb('expire', short);
  expect(expired.document.timed_out).toEqual(sent.map(({ dispatch_id }) => dispatch_id));
  expect([expired.document.state, expired.document.code]).toEqual(['BLOCKED', 'BLOCKED_NO_VALID_PACKET']);
});

test('cancel ends what is out, discards what no review accepted, and closes; a second one has nothing to end [CLI-08]', async () => {
  out.restore();
  await submit(folder, id(0), packet(0));
  const cancelled = await verb('cancel', folder, '--reason', 'not needed any more');
  expect([cancelled.code, cancelled.document.state, cancelled.document.cancelled]).toEqual([
    0,
    'CANCELLED',
    true,
  ]);
  expect(payloads(folder, 'dispatch.cancelled').map(({ dispatch_id }) => dispatch_id)).toEqual([
    id(1),
    id(2),
  ]);
  expect(readLines(folder).at(-1)?.event).toBe('cleanup.receipt');
  expect((await verb('cancel', folder, '--reason', 'again')).code).toBe(2);
  const late = await submit(folder, id(1), packet(1));
  expect([late.code, late.document.result]).toEqual([5, 'stale']);
  const status = await verb('status', folder);
  expect(status.document.liveness).toBe('finished');
});

test('a whole conference by these verbs alone ends as a run does [CLI-08 CLI-23]', async () => {
  fresh.restore();
  await proceed(folder, 10);
  const next = await verb('next', folder);
  expect(next.document.actions).toEqual([{ action: 'done', outcome: 'CONVERGED', target_met: true }]);
  expect((await verb('verify', folder, '--deep')).document.findings).toEqual([]);
  expect((await verb('dispatch', folder)).document.actions).toEqual([]);
});

/** All of them in full. */
const AT_ONCE = FULL ? 20 : 8;

test(
  `${AT_ONCE} submits of 60 KB at once, one of them killed: every one that ended well is in the ledger, and the chain holds`,
  { timeout: 240_000 },
  async () => {
    const many = await confirmed(place, { lanes: AT_ONCE, timeout: '2h' }, 'many');
    const sent = await dispatch(many, AT_ONCE);
    const big = (action: Action): string => {
      const claim = { claim: 'x'.repeat(4_000), evidence: 'measured', confidence: 'low' };
      const read = JSON.parse(packetFor(action.charter)) as { claims: object[] };
      read.claims.push(...Array.from({ length: 14 }, () => claim));
      return JSON.stringify(read);
    };
    const running = sent.map((action) =>
      start(['submit', many, action.dispatch_id ?? '', '-', '--json', '--lock-wait', '2m'], {
        cwd: place,
        input: big(action),
      }),
    );
    const victim = running[5];
    // In its start, its wait, or its write: wherever the others have brought it by then.
    await running[3]?.ended;
    victim?.child.kill('SIGKILL');
    const ends = await Promise.all(running.map(({ ended }) => ended));
    const received = new Set(payloads(many, 'dispatch.received').map(({ dispatch_id }) => dispatch_id));
    for (const [at, { code, out: text }] of ends.entries()) {
      if (running[at] === victim && code === null) continue;
      expect([at, code, JSON.parse(text)]).toMatchObject([at, 0, { result: 'received' }]);
      expect(received).toContain(sent[at]?.dispatch_id);
    }
    expect(payloads(many, 'dispatch.received').every(({ bytes }) => Number(bytes) > 55_000)).toBe(true);
    expect((await verb('verify', many, '--deep')).document.findings).toEqual([]);
  },
);
