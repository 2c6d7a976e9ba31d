/** What the benches share: figures, and a state folder full of open questions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseQid, recordText, step } from '@x/bridge';
import { createWorld, type World } from '../test/support/world.ts';

export const print = (row: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify(row)}\n`);

export const quantile = (values: readonly number[], of: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return Number(
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN).toFixed(2),
  );
};
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * Sends a line that was made beforehand; milliseconds from its handing over to its ack. Connecting is left out: sixteen
 * askers in one process would wait for each other with that. Rejects on anything but an ack.
 */
export const ackMs = (endpoint: string, line: string): Promise<number> =>
  new Promise((resolve, reject) => {
    let began = 0;
    const socket = connect({ path: endpoint }, () => {
      began = performance.now();
      socket.write(line);
    });
    socket.once('error', reject);
    socket.once('data', (chunk: Buffer) => {
      const took = performance.now() - began;
      socket.destroy();
      if (chunk.toString().startsWith('{"type":"ack"')) resolve(took);
      else reject(new Error(`not acked: ${chunk.toString()}`));
    });
  });

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const nthQid = (at: number) => {
  let text = '';
  for (let digit = 0, rest = at; digit < 6; digit += 1, rest = Math.floor(rest / 32))
    text = `${alphabet[rest % 32]}${text}`;
  const qid = parseQid(`01J00000000000000000${text}`);
  if (qid === null) throw new Error('no qid');
  return qid;
};

/**
 * What making a file costs here and now, in milliseconds. ext4 passes over what has been removed in the last minutes, one
 * by one: after a build or a test run it may be a hundred times what it is at rest, for whoever makes files. A `TMPDIR`
 * made at the root of the disk lies apart from that.
 */
export const makeFileMs = (world: World): number => {
  const folder = join(world.root, 'made');
  mkdirSync(folder);
  const times = Array.from({ length: 50 }, (_, at) => {
    const began = performance.now();
    writeFileSync(join(folder, String(at)), '');
    return performance.now() - began;
  });
  return median(times);
};

/** Lays `count` delivered questions into `pending/`, as a daemon of this world would have left them. */
export const layOpenQuestions = (world: World, count: number): void => {
  const pending = join(world.state, 'pending');
  mkdirSync(pending, { recursive: true, mode: 0o700 });
  const now = Date.now();
  for (let at = 0; at < count; at += 1) {
    const asked = {
      qid: nthQid(at),
      daemon: { name: 'user-remote', project: 'default', coms_dir: world.comsDir },
      asker: {
        name: 'elsewhere',
        cwd: '/srv',
        project: 'default',
        session: null,
        endpoint: join(world.comsDir, 'sockets', 'x.sock'),
        hops: 0,
      },
      prompt_digest: 'd',
      question: {
        question: `Question ${at}: ${'which of these is it? '.repeat(10)}`,
        options: [{ title: 'Yes' }, { title: 'No' }],
      },
      timeout_ms: 3_600_000,
    };
    const first = step(null, { event: 'question_received', asked }, now).record;
    const { record } = step(first, { event: 'delivered', message_ids: [] }, now);
    if (record === null) throw new Error('no record');
    writeFileSync(join(pending, `${record.qid}.json`), recordText({ ...record, owed: [] }), { mode: 0o600 });
  }
};

export const within = async (run: (world: World) => Promise<void>): Promise<void> => {
  const world = createWorld();
  try {
    await run(world);
  } finally {
    await world.end();
  }
};
