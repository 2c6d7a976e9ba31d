/** From an answer file's rename to its response at the asker, at default flags, with others open: it must stay flat. */
import { layOpenQuestions, median, print, quantile, within } from './measure.ts';

const samples = process.env['FULL'] === '1' ? 500 : 150;
const medians: number[] = [];

for (const open of [0, 1_000, 10_000])
  await within(async (world) => {
    layOpenQuestions(world, open);
    await world.daemon();
    const times: number[] = [];
    let began = 0;
    let arrived: () => void = () => undefined;
    const planner = await world.asker('planner', {
      onResponse: () => {
        times.push(performance.now() - began);
        arrived();
      },
    });
    for (let at = 0; at < samples; at += 1) {
      const qid = await planner.ask(`question ${at}?`);
      // Past its own delivery, so that only the way back is measured.
      await new Promise((resolve) => setTimeout(resolve, 30));
      const response = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const body = world.answerBody(qid, 'yes');
      began = performance.now();
      world.put(`${qid}.answer.json`, body);
      await response;
    }
    medians.push(median(times));
    print({ bench: 'bridge.answer_to_response', median_ms: median(times), open, aim: '<= 15 ms (5)' });
    print({ bench: 'bridge.answer_to_response.p99', p99_ms: quantile(times, 0.99), open, aim: '<= 60 ms' });
  });

const [alone = Number.NaN, , crowded = Number.NaN] = medians;
print({
  bench: 'bridge.answer_to_response.flat',
  ratio: Number((crowded / alone).toFixed(2)),
  aim: '<= 1.5',
});
