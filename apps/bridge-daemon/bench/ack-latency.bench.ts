/**
 * How long 16 askers at once wait for their acks while transport processes are being started: each round begins while
 * deliveries of the round before are still under way, and before they pile up. A wait is from the asker's connect to its
 * ack; the envelopes are made beforehand, because 16 askers in one process would wait for each other with that.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createJournal } from '../src/store/journal.ts';
import { sleep, waitFor } from '../test/support/wait-for.ts';
import { ackMs, makeFileMs, median, print, quantile, within } from './measure.ts';

const rounds = process.env['FULL'] === '1' ? 100 : 25;
const askers = 16;
/** The daemon runs four programs at once; as many again wait for their turn. */
const underWayMax = 8;
/** A daemon that has been at work for a while: its code is compiled. */
const warmRounds = 40;

await within(async (world) => {
  const { entry } = await world.daemon();
  const all = await Promise.all(Array.from({ length: askers }, (_, at) => world.asker(`asker${at}`)));
  const runs = join(world.root, 'hermes', 'runs');
  let asked = 0;
  const underWay = (): number => asked - readdirSync(runs).length;
  const times: number[] = [];
  const started: number[] = [];
  for (let round = 0; round < warmRounds + rounds; round += 1) {
    const lines = all.map(({ peer }) => `${JSON.stringify(peer.prompt({ prompt: `question ${round}?` }))}\n`);
    await waitFor('deliveries to be few', () => underWay() <= underWayMax);
    const before = underWay();
    const took = await Promise.all(lines.map((line) => ackMs(entry.endpoint, line)));
    asked += askers;
    if (round < warmRounds) continue;
    times.push(...took);
    started.push(before);
  }

  // What the disk alone takes for 16 such records at once, in the same run.
  await waitFor('the last deliveries', () => underWay() === 0);
  const floor: number[] = [];
  const folder = join(world.root, 'floor');
  mkdirSync(folder);
  const settle = (): Promise<void> => Promise.resolve();
  const journal = createJournal({
    folder,
    name: 'floor',
    bytesMax: 2 ** 24,
    quietMs: 1_000,
    boot: '',
    retryMs: 1_000,
    settle,
  });
  for (let round = 0; round < rounds; round += 1) {
    await sleep(50);
    await Promise.all(
      all.map(async (_, at) => {
        const began = performance.now();
        await journal.append(`${round}-${at}`, 'x'.repeat(900));
        floor.push(performance.now() - began);
      }),
    );
  }
  await journal.close();
  print({
    bench: 'bridge.ack',
    median_ms: median(times),
    p99_ms: quantile(times, 0.99),
    askers,
    deliveries_under_way: median(started),
    disk_alone_ms: median(floor),
    make_file_ms: makeFileMs(world),
    aim: '<= 10 ms',
  });
});
