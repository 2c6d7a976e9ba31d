/** How long 16 askers at once wait for their acks while each prompt has a transport process started. */
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
  print({
    bench: 'bridge.ack',
    median_ms: median(times),
    p99_ms: quantile(times, 0.99),
    askers,
    aim: '<= 10 ms',
  });
});
