/** Memory of a daemon with 5,000 open questions: as taken over at a start, and as asked one by one. */
import { readFileSync } from 'node:fs';
import { waitFor } from '../test/support/wait-for.ts';
import type { Daemon } from '../test/support/world.ts';
import { layOpenQuestions, print, within } from './measure.ts';

const open = 5_000;
const kib = (pid: number, what: 'VmRSS' | 'RssAnon'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
/** The daemon, and what the process that starts programs for it has of its own: both map the same Node. */
const residentMb = ({ child }: Daemon): number => {
  const pid = child.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return Math.round(children.reduce((sum, one) => sum + kib(one, 'RssAnon'), kib(pid, 'VmRSS')) / 1024);
};

await within(async (world) => {
  const empty = residentMb(await world.daemon([], { name: 'empty' }));
  layOpenQuestions(world, open);
  const bridge = await world.daemon();
  await waitFor('all to be taken over', async () => (await bridge.card()).queue_depth === open);
  print({
    bench: 'bridge.memory.taken_over',
    resident_mb: residentMb(bridge),
    open,
    empty_mb: empty,
    aim: '<= 150 MB',
  });
});

await within(async (world) => {
  const bridge = await world.daemon();
  const askers = await Promise.all(Array.from({ length: 16 }, (_, at) => world.asker(`asker${at}`)));
  let asked = 0;
  await Promise.all(
    askers.map(async (asker) => {
      while (asked < open) {
        asked += 1;
        await asker.ask(`Question ${asked}: ${'which of these is it? '.repeat(10)}`);
      }
    }),
  );
  await waitFor('all to be open', async () => (await bridge.card()).queue_depth === open);
  print({ bench: 'bridge.memory.asked', resident_mb: residentMb(bridge), open, aim: '<= 150 MB' });
});
