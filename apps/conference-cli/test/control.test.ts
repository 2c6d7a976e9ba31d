/**
 * The bug to catch: while a run holds the ledger a second terminal is locked out, or is let in by a door that others can open, or
 * brings the run down.
 */
import { createConnection } from 'node:net';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { json, main, makePlace, removePlace, start, until, type Running } from './support/crash/command.ts';
import { leftovers } from './support/crash/killed-run.ts';
import { payloads } from './support/crash/ledger-file.ts';
import { resumeWords, runWords } from './support/crash/plan.ts';

// Dozens of processes a test, on a machine that may have others to run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const places: string[] = [];
afterAll(() => places.forEach(removePlace));

interface Held {
  readonly running: Running;
  readonly place: string;
  readonly folder: string;
  readonly socket: string;
}

/** A run whose lane B has answered and whose lane A hangs; it takes commands once its lock says where. */
async function heldRun(behaviours: readonly string[] = ['A=hang']): Promise<Held> {
  const place = makePlace();
  places.push(place);
  const folder = join(place, 'out');
  const running = start(await runWords(place, { behaviours, values: { target: '>= 61' } }), { cwd: place });
  const lock = (): { readonly control_socket?: string } => {
    try {
      return JSON.parse(readFileSync(join(folder, 'ledger.lock'), 'utf8')) as { control_socket?: string }; // written by the run
    } catch {
      return {};
    }
  };
  const received = (): number => payloads(folder, 'dispatch.received').length;
  await until(
    () => running.child.exitCode !== null || (lock().control_socket !== undefined && received() === 1),
  );
  return { running, place, folder, socket: lock().control_socket ?? '' };
}

/** What the socket answers to some bytes; null when it hangs up without a word. */
function tell(socket: string, bytes: string | Uint8Array): Promise<object | null> {
  return new Promise((resolve) => {
    let text = '';
    const client = createConnection(socket, () => client.write(bytes));
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    client.on('error', () => undefined);
    client.on('close', () => resolve(text === '' ? null : (JSON.parse(text) as object)));
  });
}

test('status, decide and cancel from a second terminal are carried out by the run that holds the ledger [CLI-21]', async () => {
  const { running, place, folder, socket } = await heldRun();
  const at = { cwd: place };
  expect((statSync(socket).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(dirname(socket)).mode & 0o777).toString(8)).toBe('700');
  const status = await json(['status', folder], at);
  expect([status.code, status.document.liveness, status.document.holder?.pid]).toEqual([
    0,
    'running',
    running.child.pid,
  ]);
  const wrong = await json(['decide', folder, 'nothing', 'continue', '--lock-wait', '0'], at);
  expect([wrong.code, wrong.document.error?.code]).toEqual([2, 'NO_SUCH_DECISION']);
  const cancelled = await json(['cancel', folder, '--reason', 'enough', '--lock-wait', '0'], at);
  expect([cancelled.code, cancelled.document.cancelled, cancelled.document.state]).toEqual([
    0,
    true,
    'CANCELLED',
  ]);
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  expect(payloads(folder, 'state.transitioned').at(-1)).toMatchObject({
    reason: 'the user cancelled: enough',
  });
  expect(payloads(folder, 'cleanup.receipt')).toHaveLength(1);
  expect(leftovers(place)).toEqual([]);
});

/** A terminal to run in. */
const SCRIPT = '/usr/bin/script';

/** A run at a terminal of its own, which asks after every round. */
const pausingRun = async () => {
  const place = makePlace();
  places.push(place);
  const folder = join(place, 'out');
  const words = await runWords(place, { values: { constraints: ['**pause_every:** every_round'] } });
  const quoted = [process.execPath, main, ...words].map((word) => `'${word}'`).join(' ');
  const wrapper = [SCRIPT, '-qec', quoted, '/dev/null'];
  const running = start([], { cwd: place, input: null, wrapper });
  return { place, folder, running };
};

test.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'what a run asks at its terminal is answered from a second one, and the run goes on [CLI-21]',
  async () => {
    const { place, folder, running } = await pausingRun();
    await until(() => running.child.exitCode !== null || asked(folder).length > 0);
    const [decision = ''] = asked(folder);
    const decided = await json(['decide', folder, decision, 'continue', '--lock-wait', '0'], { cwd: place });
    expect([decided.code, decided.document.option, decided.document.state]).toEqual([
      0,
      'continue',
      'DISPATCHING',
    ]);
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([0, expect.stringContaining('CONVERGED')]);
    expect(payloads(folder, 'decision.answered')).toMatchObject([{ answered_by: 'conference decide' }]);
  },
);

test.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'revalidate from a second terminal compares the files again: what is ours is restored, what is lost is named, and the run goes on [CLI-21 PROTO-35]',
  async () => {
    const { place, folder, running } = await pausingRun();
    const answer = async (number: number, option: string) => {
      await until(() => running.child.exitCode !== null || asked(folder).length >= number);
      const id = asked(folder)[number - 1] ?? '';
      return json(['decide', folder, id, option, '--lock-wait', '0'], { cwd: place });
    };
    await until(() => running.child.exitCode !== null || asked(folder).length > 0);
    const review = join(folder, 'peer_review_round_1.md');
    const made = readFileSync(review);
    writeFileSync(review, 'lost\n');
    const file = join(folder, 'conference.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('rounds:** 6', 'rounds:** 9'));
    expect((await answer(1, 'continue')).code).toBe(0);
    // Round 2 is written back to a file that says another plan.
    await until(() => running.child.exitCode !== null || asked(folder).length > 1);
    const [packet = ''] = payloads(folder, 'dispatch.received').map(({ digest }) => String(digest).slice(7));
    const stored = join(folder, 'packets', `${packet}.json`);
    const bytes = readFileSync(stored);
    rmSync(stored);
    const inVain = await answer(2, 'revalidate');
    expect([inVain.code, inVain.document.error?.code]).toEqual([4, 'BLOCKED_STALE_CONFERENCE_STATE']);
    expect(inVain.document.error?.message).toContain(packet);
    writeFileSync(stored, bytes);
    const decided = await answer(2, 'revalidate');
    expect([decided.code, decided.document.option]).toEqual([0, 'revalidate']);
    expect(readFileSync(review).equals(made)).toBe(true);
    expect((await running.ended).code).toBe(0);
    expect(payloads(folder, 'recovery.inspected')).toHaveLength(1);
    expect((await json(['verify', folder, '--deep'], { cwd: place })).document.findings).toEqual([]);
  },
);

function asked(folder: string): string[] {
  try {
    return payloads(folder, 'decision.asked').map(({ decision_id }) => String(decision_id));
  } catch {
    return [];
  }
}

test('hostile requests are refused in words or by a hang-up, bounded, and the run lives on [CLI-21]', async () => {
  const { running, place, folder, socket } = await heldRun();
  const deep = `${'['.repeat(60_000)}\n`;
  const answers = [
    await tell(socket, 'what?\n'),
    await tell(socket, '{"verb":"confirm"}\n'),
    await tell(socket, '{"verb":"status","more":1}\n'),
    await tell(socket, '{"verb":"cancel","reason":""}\n'),
    await tell(socket, '{"__proto__":{"verb":"status"}}\n'),
    await tell(socket, `{"verb":"cancel","reason":"${'x'.repeat(70_000)}"}\n`),
    await tell(socket, Buffer.alloc(200_000, 0xff)),
    await tell(socket, deep),
    await tell(socket, 'null\n{"verb":"cancel","reason":"smuggled"}\n'),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, exit: 2 });
  // Many that say nothing do not keep one that does out for ever.
  const silent = Array.from({ length: 40 }, () => createConnection(socket).on('error', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const client of silent) client.destroy();
  const status = await json(['status', folder], { cwd: place });
  expect([status.document.liveness, status.document.state]).toEqual(['running', 'COLLECTING']);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(1);
  expect(leftovers(place)).toEqual([]);
});

test('once the holder is killed the verbs read and write the folder themselves, and the next run takes the socket over [CLI-21]', async () => {
  const { running, place, folder, socket } = await heldRun();
  const at = { cwd: place };
  running.child.kill('SIGKILL');
  await running.ended;
  expect(existsSync(socket)).toBe(true);
  const status = await json(['status', folder], at);
  expect([status.document.liveness, status.document.holder]).toEqual(['interrupted', null]);
  expect((await json(['decide', folder, 'nothing', 'stop'], at)).code).toBe(2);
  const resumed = start([...(await resumeWords(folder, at)), '--json'], at);
  expect((await resumed.ended).code).toBe(3);
  expect(existsSync(socket)).toBe(false);
  expect((await json(['cancel', folder, '--reason', 'done with it'], at)).document.state).toBe('CANCELLED');
  expect(leftovers(place)).toEqual([]);
});

test('a run whose socket cannot be made says so and goes on [CLI-21]', async () => {
  const place = makePlace();
  places.push(place);
  const long = join(place, 'x'.repeat(90));
  const words = await runWords(place, { values: { target: '>= 61' } });
  mkdirSync(long);
  const { code, err } = await start(words, { cwd: place, env: { TMPDIR: long } }).ended;
  expect([code, err]).toEqual([0, expect.stringContaining('a second terminal cannot reach this run')]);
});
