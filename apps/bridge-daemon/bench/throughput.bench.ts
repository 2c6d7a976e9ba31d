/** Questions a second from prompt to response, against a bare loop that starts the same stub process as often. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { median, print, within } from './measure.ts';

const blocks = process.env['FULL'] === '1' ? 21 : 7;
const questions = 60;
const askers = 16;

await within(async (world) => {
  await world.daemon();
  // The stub is the liaison, too: it answers the question that it was given.
  const stub = (folder: string): string => `
for message; do :; done
qid=\${message#*HUB-Q:}
qid=\${qid%%]*}
printf '{"qid":"%s","answer":"yes","answered_by":"stub","at":"2126-01-01T00:00:00Z"}' "$qid" >"${folder}/$qid.answer.json"`;

  const stubCommand = join(world.root, 'hermes', 'bin', 'hermes');
  const scratch = join(world.root, 'scratch');
  mkdirSync(scratch);
  world.hermes.behave(stub(scratch));
  const bareLoop = async (): Promise<number> => {
    const began = performance.now();
    for (let at = 0; at < questions; at += 1)
      await new Promise((resolve) =>
        spawn(stubCommand, ['send', '--to', 'telegram', `❓ [HUB-Q:${at}] question ${at}?`], {
          env: world.env,
          stdio: ['ignore', 'ignore', 'pipe'],
        }).on('close', resolve),
      );
    return questions / ((performance.now() - began) / 1000);
  };

  const all = await Promise.all(Array.from({ length: askers }, (_, at) => world.asker(`asker${at}`)));
  const endToEnd = async (): Promise<number> => {
    world.hermes.behave(stub(world.questions));
    const began = performance.now();
    let next = 0;
    await Promise.all(
      all.map(async (asker) => {
        while (next < questions) {
          next += 1;
          await asker.response(await asker.ask(`question ${next}?`));
        }
      }),
    );
    return questions / ((performance.now() - began) / 1000);
  };

  // In turn, so that what else the machine does falls on both.
  await endToEnd();
  const bare: number[] = [];
  const ours: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    world.hermes.behave(stub(scratch));
    bare.push(await bareLoop());
    ours.push(await endToEnd());
  }
  print({
    bench: 'bridge.throughput',
    ratio: Number((median(ours) / median(bare)).toFixed(2)),
    questions_per_s: median(ours),
    bare_starts_per_s: median(bare),
    aim: '>= 0.9',
  });
});
