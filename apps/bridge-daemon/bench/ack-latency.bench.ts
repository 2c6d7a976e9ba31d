/** How long 16 askers at once wait for their acks while each prompt has a transport process started. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFile } from '../src/store/durable-write.ts';
import { median, print, quantile, within } from './measure.ts';

const rounds = process.env['FULL'] === '1' ? 100 : 25;
const askers = 16;

await within(async (world) => {
  await world.daemon();
  const all = await Promise.all(Array.from({ length: askers }, (_, at) => world.asker(`asker${at}`)));
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      all.map(async (asker) => {
        const began = performance.now();
        await asker.ask(`question ${round}?`);
        times.push(performance.now() - began);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // What the disk alone takes for 16 such records at once, in the same run.
  const floor: number[] = [];
  const place = join(world.root, 'floor');
  mkdirSync(place);
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(
      all.map(async (_, at) => {
        const began = performance.now();
        await createFile(join(place, `${round}-${at}`), 'x'.repeat(900), world.root);
        floor.push(performance.now() - began);
      }),
    );
  print({
    bench: 'bridge.ack',
    median_ms: median(times),
    p99_ms: quantile(times, 0.99),
    askers,
    disk_alone_ms: median(floor),
    aim: '<= 10 ms',
  });
});
