/**
 * Round trips a second, a new connection each as the wire demands, against a bare `net` echo of the same bytes.
 *
 * Both run in this process, interleaved, so that the machine's mood falls on both. Prints one line of JSON a bench.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepted } from '../src/index.ts';
import { listen, openComs, send } from '../dist/node/index.js';

const full = process.env['FULL'] === '1';
/** Many short rounds: what else runs on the machine then falls on both sides of a pair, or is outvoted. */
const rounds = full ? 600 : 150;
const perRound = 20;
const warmUpRounds = 25;

const root = mkdtempSync(join(tmpdir(), 'bench-'));

function echoOnce(path: string, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.once('connect', () => socket.write(line));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  for (let turn = 0; turn < perRound; turn += 1) await work();
  return performance.now() - startedMs;
}

/** The time that a tenth of the rounds beat: on a busy machine the least disturbed ones say what the code costs. */
function fastTenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN;
}

try {
  const opened = openComs({ root: join(root, 'c') });
  if (!opened.ok) throw new Error(opened.message);
  const { coms } = opened;
  const peer = await listen({ coms, name: 'bench', handlers: { prompt: () => accepted } });
  if (!peer.ok) throw new Error(peer.message);
  const envelope = peer.prompt({ prompt: 'x'.repeat(200) });
  const line = `${JSON.stringify(envelope)}\n`;
  const echoPath = join(root, 'echo.sock');
  const echo = createServer((socket) =>
    socket.on('data', (chunk) => socket.end(chunk)).on('error', () => undefined),
  );
  await new Promise<void>((resolve) => echo.listen(echoPath, resolve));
  const bare = (): Promise<void> => echoOnce(echoPath, line);
  const ours = async (): Promise<void> => {
    const outcome = await send(coms, { endpoint: peer.endpoint, envelope });
    if (!outcome.ok) throw new Error(outcome.message);
  };
  for (let round = 0; round < warmUpRounds; round += 1) {
    await timed(bare);
    await timed(ours);
  }
  const bareMs: number[] = [];
  const oursMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bareMs.push(await timed(bare));
    oursMs.push(await timed(ours));
  }
  const ratio = Math.round((fastTenth(bareMs) / fastTenth(oursMs)) * 100) / 100;
  const perSecond = Math.round((perRound / fastTenth(oursMs)) * 1_000);
  console.log(
    JSON.stringify({
      bench: 'coms.roundtrip',
      ratio,
      aim: '>= 0.7',
      ok: ratio >= 0.7,
      per_second: perSecond,
    }),
  );
  echo.close();
  await peer.close();
} finally {
  rmSync(root, { recursive: true, force: true });
}
