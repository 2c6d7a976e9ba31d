/**
 * Questions a second from prompt to response, against a bare loop that starts the same stub process as often and does
 * nothing else. The loop is a program of its own, as small as can be: the larger a process, the longer it takes to start
 * another. Asking and taking the responses is done by this process, and is part of what is measured.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ackMs, makeFileMs, median, print, within } from './measure.ts';

const blocks = process.env['FULL'] === '1' ? 21 : 7;
/** A daemon that has been at work for a while: its code is compiled. */
const warmBlocks = 2;
/** So many that the beginning and the end, where fewer than all askers wait, count for little. */
const questions = 400;
const askers = 16;
const loop = fileURLToPath(new URL('bare-loop.mjs', import.meta.url));

await within(async (world) => {
  const { entry } = await world.daemon();
  // The stub is the liaison, too: it answers the question that it was given.
  const stub = (folder: string): string => `
for message; do :; done
qid=\${message#*HUB-Q:}
qid=\${qid%%]*}
printf '{"qid":"%s","answer":"yes","answered_by":"stub","at":"2126-01-01T00:00:00Z"}' "$qid" >"${folder}/$qid.answer.json"`;

  const stubCommand = join(world.root, 'hermes', 'bin', 'hermes');
  const scratch = join(world.root, 'scratch');
  mkdirSync(scratch);
  let bareStarts = 0;
  const bareLoop = (): number => {
    const args = [
      loop,
      String(questions),
      String(bareStarts),
      stubCommand,
      'send',
      '--to',
      'telegram',
      '❓ [HUB-Q:%d] question %d?',
    ];
    // Each start makes a file of its own, as it does where it answers the daemon.
    bareStarts += questions;
    return Number(execFileSync(process.execPath, args, { env: world.env, encoding: 'utf8' }));
  };
  const waiting = new Map<string, () => void>();
  const onResponse = ({ msg_id }: { msg_id: string }): void => {
    waiting.get(msg_id)?.();
    waiting.delete(msg_id);
  };
  const all = await Promise.all(
    Array.from({ length: askers }, (_, at) => world.asker(`asker${at}`, { onResponse })),
  );
  const endToEnd = async (): Promise<number> => {
    world.hermes.behave(stub(world.questions));
    const prompts = Array.from({ length: questions }, (_, at) => {
      const asker = all[at % askers];
      if (asker === undefined) throw new Error('no asker');
      const prompt = asker.peer.prompt({ prompt: `question ${at}?` });
      return { qid: prompt.msg_id, line: `${JSON.stringify(prompt)}\n` };
    });
    const began = performance.now();
    const ask = async (): Promise<void> => {
      for (let next = prompts.pop(); next !== undefined; next = prompts.pop()) {
        const { qid, line } = next;
        const answered = new Promise<void>((resolve) => waiting.set(qid, resolve));
        await ackMs(entry.endpoint, line);
        await answered;
      }
    };
    await Promise.all(Array.from({ length: askers }, ask));
    return questions / ((performance.now() - began) / 1000);
  };

  // In turn, so that what else the machine does falls on both.
  for (let block = 0; block < warmBlocks; block += 1) await endToEnd();
  const bare: number[] = [];
  const ours: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    world.hermes.behave(stub(scratch));
    bare.push(bareLoop());
    ours.push(await endToEnd());
  }
  print({
    bench: 'bridge.throughput',
    ratio: Number((median(ours) / median(bare)).toFixed(2)),
    questions_per_s: median(ours),
    bare_starts_per_s: median(bare),
    make_file_ms: makeFileMs(world),
    aim: '>= 0.9',
  });
});
