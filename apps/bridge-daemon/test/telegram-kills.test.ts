// Catches an answer that a kill loses, doubles or gives to another question, and a question that is asked a third time.
// The daemon is killed between any two changes it makes to files and sockets, and between any two requests as the server
// sees them, while people talk.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ANN, CHAT, createTelegramWorld, type TelegramWorld } from './support/telegram-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';
import type { Asker, Daemon } from './support/world.ts';

const full = process.env['FULL'] === '1';
const killAt = fileURLToPath(new URL('support/kill-at.mjs', import.meta.url));
const longestWaitMs = 120_000;

/** A small generator with a seed, so that a failure can be run again. */
const randomOf = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
type Random = ReturnType<typeof randomOf>;
const oneOf = <One>(random: Random, all: readonly [One, ...One[]]): One =>
  all[Math.floor(random() * all.length)] ?? all[0];

interface Asked {
  readonly asker: Asker;
  readonly qid: string;
  readonly prompt: string;
  readonly options: number;
  /** What the asker must get; null until the person has answered. */
  expected: unknown;
}

interface Scene {
  readonly world: TelegramWorld;
  readonly random: Random;
  /** When somebody began a long answer: what they write in the next two seconds goes on with it. */
  longAt: number;
  /** From now on no daemon is killed: who still waits for a question to appear may stop waiting. */
  quiet: boolean;
}

const titles = ['Yes', 'No', 'Later'];

const askSurely = ({ asker, prompt, qid }: Asked): Promise<unknown> =>
  waitFor(
    `${qid} to be acked`,
    async () => {
      try {
        return (await asker.prompt(prompt, { msgId: qid })).sent.ok;
      } catch {
        // No daemon is registered at this moment.
        return false;
      }
    },
    longestWaitMs,
  );

type Way = (scene: Scene, asked: Asked, message: number) => Promise<unknown>;

const say = ({ world }: Scene, text: string, reply_to?: number): number =>
  world.api.world.say({ chat: CHAT, from: ANN, text, ...(reply_to === undefined ? {} : { reply_to }) })
    .message_id;

/** Each gives what the asker must get. */
const ways: Readonly<Record<'reply' | 'code' | 'button' | 'draft' | 'long', Way>> = {
  reply: async (scene, { qid }, message) => {
    say(scene, `reply to ${qid}`, message);
    return { kind: 'freeform', text: `reply to ${qid}` };
  },
  code: async (scene, { qid }) => {
    say(scene, `HUB-Q:${qid}: code for ${qid}`);
    return { kind: 'freeform', text: `code for ${qid}` };
  },
  button: async (scene, asked, message) => {
    const { world, random } = scene;
    const buttons = world.api.world.message(CHAT, message)?.reply_markup?.inline_keyboard.flat() ?? [];
    const index = Math.floor(random() * asked.options);
    const button = buttons[index];
    if (button === undefined) return ways.reply(scene, asked, message);
    world.api.world.press({ chat: CHAT, message, button: button.text, from: ANN });
    return { kind: 'selection', selections: [titles[index]] };
  },
  draft: async (scene, asked, message) => {
    const { qid } = asked;
    const { world } = scene;
    await waitFor('the long answer before to be over', () => Date.now() - scene.longAt > 4_000);
    const bare = say(scene, `draft for ${qid}`);
    const lists = await waitFor(
      `a list for ${qid}`,
      () => {
        const found = world.own(CHAT).filter(({ reply_to_message: to }) => to?.message_id === bare);
        return found.length > 0 ? found : null;
      },
      longestWaitMs,
    );
    for (const list of lists) {
      // Under the list the questions stand in the order of its buttons.
      const named = [...(list.text ?? '').matchAll(/^HUB-Q:(\w{26}):$/gm)].map(([, found]) => found);
      const button = list.reply_markup?.inline_keyboard.flat()[named.indexOf(qid)];
      if (!named.includes(qid) || button === undefined) continue;
      world.api.world.press({ chat: CHAT, message: list.message_id, button: button.text, from: ANN });
      return { kind: 'freeform', text: `draft for ${qid}` };
    }
    // A list is bounded; what it leaves out is answered otherwise.
    expect(lists[0]?.text).toMatch(/… and \d+ more/);
    return ways.reply(scene, asked, message);
  },
  long: async (scene, { qid }, reply_to) => {
    const { world } = scene;
    scene.longAt = Date.now();
    const text = `${qid}${'слово🙂'.repeat(700)}${qid}`;
    world.api.world.sayLong({ chat: CHAT, from: ANN, text, reply_to });
    return { kind: 'freeform', text };
  },
};

/** Asks, and answers once the person can see the question; what no message ever showed is answered by its code. */
const askAndAnswer = async (scene: Scene, asked: Asked): Promise<void> => {
  const { world, random } = scene;
  await askSurely(asked);
  const shown = await waitFor(
    `${asked.qid} to be seen`,
    () =>
      world.questions(asked.qid).at(-1) ??
      (scene.quiet && world.log().some(({ qid, event }) => qid === asked.qid && event === 'delivered')
        ? 'never'
        : null),
    longestWaitMs,
  );
  await sleep(random() * 400);
  const message = world.questions(asked.qid).at(-1);
  const way =
    shown === 'never' || message === undefined
      ? 'code'
      : oneOf<keyof typeof ways>(random, ['reply', 'code', 'button', 'button', 'draft', 'long']);
  asked.expected = await ways[way](scene, asked, message?.message_id ?? 0);
};

/**
 * One life of the daemon, ended at a change of its own, at a request as the server sees it, or after a while. Gives
 * whether it came to that change or request.
 */
const doomedLife = async ({ world, random }: Scene): Promise<boolean> => {
  const byRequest = random() < 0.4;
  const at = 1 + Math.floor(random() * random() * (byRequest ? 30 : 250));
  const node = byRequest ? [] : ['--import', killAt];
  const env: Record<string, string> = byRequest
    ? {}
    : {
        KILL_AT: `${at}`,
        KILL_WHEN: random() < 0.5 ? 'before' : 'after',
        KILL_FROM: random() < 0.5 ? 'start' : 'record',
      };
  let daemon: Daemon | null = null;
  let requests = 0;
  world.api.faults.decide(() => {
    requests += 1;
    if (!byRequest || requests < at) return null;
    daemon?.child.kill('SIGKILL');
    return { fault: random() < 0.5 ? 'drop_before' : 'drop_after' };
  });
  daemon = await world.daemon(['--poll-ms', '200', '--log-level', 'silent'], { node, env }).catch(() => null);
  const end = daemon === null ? 'SIGKILL' : await Promise.race([daemon.ended, sleep(300 + random() * 900)]);
  await daemon?.terminate('SIGKILL');
  world.api.faults.clear();
  return end === 'SIGKILL';
};

const expectSettled = async ({ world }: Scene, { asker, qid, expected }: Asked): Promise<void> => {
  const { response } = await waitFor(
    `the response to ${qid}`,
    () => asker.responses.find(({ msg_id }) => msg_id === qid),
    longestWaitMs,
  );
  expect(response).toEqual(expected);
  const record = await waitFor(`${qid} to be settled`, () => {
    if (!world.files('closed').includes(`${qid}.json`)) return null;
    const found = world.record('closed', qid);
    return JSON.stringify(found['owed']) === '[]' ? found : null;
  });
  expect(record).toMatchObject({ state: 'answered', outcome: { answer: { answered_by: 'telegram:ann' } } });
  for (const folder of ['pending', 'undelivered'])
    expect(world.files(folder).filter((file) => file.startsWith(qid))).toEqual([]);
  // After a kill between answer and confirmation it may be written, and removed, once more.
  await waitFor(`the file of ${qid} to go`, () => !world.files('questions').includes(`${qid}.answer.json`));
  const events = world.log().flatMap((entry) => (entry.qid === qid ? [entry.event] : []));
  expect(events.filter((event) => event === 'answered')).toEqual(['answered']);
  expect(events.filter((event) => ['answer_rejected', 'late_answer'].includes(event))).toEqual([]);
};

/** For the eyes of whoever looks into a failure. */
const historyOf = ({ api, log }: TelegramWorld, qid: string): unknown => ({
  calls: api.calls.flatMap(({ method, parameters, carriedOut }) => {
    const { text } = parameters;
    return typeof text === 'string' && text.includes(qid) ? [[method, carriedOut, text.slice(0, 60)]] : [];
  }),
  events: log().filter((entry) => entry.qid === qid),
});

/** No part of a question stands there three times, and the second time it says that it is a repeat. */
const expectRepeatsMarked = ({ world }: Scene, { qid }: Asked): void => {
  const byPart = new Map<string, string[]>();
  for (const { text = '' } of world.questions(qid)) {
    const [, part = ''] = /^❓ \[HUB-Q:\w+\] (?:\(repeat\) )?(\(\d+\/\d+\))?/.exec(text) ?? [];
    byPart.set(part, [...(byPart.get(part) ?? []), text]);
  }
  for (const copies of byPart.values()) {
    expect(copies.length, JSON.stringify(historyOf(world, qid))).toBeLessThanOrEqual(2);
    for (const again of copies.slice(1))
      expect(again.slice(0, 60), JSON.stringify(historyOf(world, qid))).toContain(`[HUB-Q:${qid}] (repeat)`);
  }
};

const expectNothingLeft = async ({ world }: Scene): Promise<void> => {
  await waitFor(
    'every update to be confirmed',
    () => world.api.world.updates.length === 0 && world.api.polling > 0,
  );
  // Nobody was told that an answer of theirs did not count.
  expect(
    world.texts().filter((text) => /^ℹ|edit changes nothing|was not taken|Nobody asked/.test(text)),
  ).toEqual([]);
  const folder = join(world.state, 'telegram');
  for (const bot of readdirSync(folder)) {
    expect(readdirSync(join(folder, bot)).filter((file) => file.includes('damaged'))).toEqual([]);
    for (const sub of ['refused', 'prepared'])
      if (readdirSync(join(folder, bot)).includes(sub))
        expect(readdirSync(join(folder, bot, sub))).toEqual([]);
  }
};

const expectBatch = async (
  seed: number,
  { kills, questions }: { kills: number; questions: number },
): Promise<number> => {
  const world = await createTelegramWorld();
  const scene: Scene = { world, random: randomOf(seed), longAt: 0, quiet: false };
  try {
    const askers = [await world.asker('planner'), await world.asker('builder'), await world.asker('tester')];
    const all = Array.from({ length: questions }, (_, at): Asked => {
      const asker = askers[at % askers.length];
      if (asker === undefined) throw new Error('no asker');
      const options = at % 4 === 3 ? 0 : 3;
      const text = at % 7 === 5 ? `Question ${at}? ${'довге питання 🙂 '.repeat(400)}` : `Question ${at}?`;
      const prompt = JSON.stringify({
        question: text,
        options: titles.slice(0, options).map((title) => ({ title })),
      });
      return { asker, qid: asker.peer.prompt({ prompt: '' }).msg_id, prompt, options, expected: null };
    });
    // Asked and answered all the while, also while no daemon runs.
    const talking = Promise.all(
      all.map(async (asked, at) => {
        await sleep((at / questions) * kills * 700 * scene.random());
        await askAndAnswer(scene, asked);
      }),
    );
    talking.catch(() => undefined);
    let points = 0;
    for (let life = 0; life < kills; life += 1) if (await doomedLife(scene)) points += 1;
    scene.quiet = true;
    await world.daemon(['--poll-ms', '200']);
    await talking;
    for (const asked of all) await expectSettled(scene, asked);
    for (const asked of all) expectRepeatsMarked(scene, asked);
    expect(askers.reduce((sum, { responses }) => sum + responses.length, 0)).toBe(questions);
    await expectNothingLeft(scene);
    return points;
  } catch (error) {
    throw new Error(`with seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await world.end();
  }
};

const firstSeed = Number(process.env['SEED'] ?? 1);
const batches = full ? Number(process.env['BATCHES'] ?? 20) : 1;
const size = full ? { kills: 25, questions: 30 } : { kills: 6, questions: 8 };

test(
  `${batches * size.kills} kills between any two requests or writes: each of ${batches * size.questions} answers counts exactly once, on its own question, and nothing is asked three times [DAEM-10 DAEM-12]`,
  { timeout: 7_200_000 },
  async () => {
    let points = 0;
    for (let seed = firstSeed; seed < firstSeed + batches; seed += 1) points += await expectBatch(seed, size);
    // The others died at a moment when nothing was under way; a few lives may all end so.
    if (full) expect(points).toBeGreaterThan((batches * size.kills) / 3);
  },
);
