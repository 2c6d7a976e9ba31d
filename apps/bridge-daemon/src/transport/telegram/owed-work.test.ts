// The bugs: a process that is killed between writing an answer and storing that it was written takes the answer for one
// that may still change, although the bridge already has it.
import type { Qid } from '@x/bridge';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { answerDigest, type AnswerToWrite } from './answer-writer.ts';
import { decide } from './decide.ts';
import { createOwedWork } from './owed-work.ts';
import { english } from './person-texts.ts';
import { createStateKeeper } from './state-keeper.ts';
import { emptyState } from './updates-state.ts';
import { ann, chat, nowMs, q1, q2, viewOf } from './way-in.fixture.ts';
import { wayInLimits } from './way-in-limits.ts';

const log = pino({ level: 'silent' });
const stillBlindMs = wayInLimits.joinBlindMs;
const long = (start: string): string => start.padEnd(wayInLimits.longUnits, '.');

/** Questions of daemons that read their answers when the test has them do it, and what is on the disk. */
const createPlace = () => {
  let stored = emptyState;
  let now = nowMs;
  let message = 0;
  const files = new Map<Qid, { readonly answer: string; readonly digest: string }>();
  const taken = new Map<Qid, { readonly answer: string; readonly digest: string }>();
  const late: string[] = [];
  const standing = (qid: Qid): 'open' | 'closed' => (taken.has(qid) ? 'closed' : 'open');
  const view = viewOf({ standing });

  const write = async (answer: AnswerToWrite) => {
    const there = files.get(answer.qid);
    const digest = answerDigest(answer);
    if (there !== undefined && there.digest !== digest && !answer.replaces.includes(there.digest))
      return { code: 'occupied' as const };
    files.set(answer.qid, { answer: answer.answer, digest });
    return { code: 'written' as const, digest };
  };

  return {
    files,
    taken,
    late,
    later: (ms: number): void => {
      now += ms;
    },
    /** Its daemon reads the answer, as source 004 has it. */
    read: (qid: Qid): void => {
      const file = files.get(qid);
      if (file === undefined) return;
      files.delete(qid);
      const first = taken.get(qid);
      if (first === undefined) taken.set(qid, file);
      else if (first.digest !== file.digest) late.push(file.answer);
    },
    /** Another process that begins with what is stored; the one before it is not used any more, as after a kill. */
    start: async () => {
      const keeper = createStateKeeper({
        file: {
          load: async () => ({ state: stored, damaged: null }),
          save: async (state) => {
            stored = state;
          },
        },
        log,
        signal: new AbortController().signal,
        now: () => now,
        backoffFirstMs: 1,
      });
      const work = createOwedWork({
        keeper,
        writer: { sweep: async () => undefined, write },
        desk: {
          open: () => [],
          standing,
          cancel: async () => false,
          look: async () => undefined,
          questionsDir: '',
          stateDir: '',
        },
        log,
        now: () => now,
        backoffFirstMs: 1,
      });
      await keeper.load();
      work.resume();
      const hear = async (spoken: number, text: string, edit: boolean): Promise<void> => {
        const spot = { chat, topic: null, message: spoken };
        const speaker = { user: ann.id, by: 'telegram:ann' };
        const heard = { kind: 'said' as const, spot, speaker, text, at: now, edit, reply: null };
        keeper.change((state) => decide(state, heard, view, now).state);
        await keeper.save();
      };
      return {
        /** Gives the message's id. */
        say: async (text: string): Promise<number> => {
          message += 1;
          await hear(message, text, false);
          return message;
        },
        edit: (spoken: number, text: string) => hear(spoken, text, true),
        perform: (blindMs = 0) => work.perform(blindMs),
        answers: () => keeper.state().answers,
        texts: () => keeper.state().texts.map(({ text }) => text),
      };
    },
  };
};

test('a kill after the second answer was written leaves no doubt about the first: its edit comes too late, and nothing is handed on twice [DAEM-10]', async () => {
  const place = createPlace();
  const before = await place.start();
  const first = await before.say(`HUB-Q:${q1}: one`);
  await before.say(`HUB-Q:${q1}: two`);
  await before.perform();
  place.read(q1);
  await before.perform();
  expect(place.files.get(q1)?.answer).toBe('two');

  const after = await place.start();
  await after.perform();
  await after.edit(first, `HUB-Q:${q1}: one, but better`);
  for (let round = 0; round < 4; round += 1) {
    await after.perform();
    place.read(q1);
  }
  expect(after.texts()).toEqual([english.alreadyTaken(q1)]);
  expect(place.taken.get(q1)?.answer).toBe('one');
  expect(place.late).toEqual(['two']);
});

test('a long answer that was complete before a kill is joined with nothing after it [DAEM-10]', async () => {
  const place = createPlace();
  const before = await place.start();
  await before.say(`HUB-Q:${q1}: ${long('one')}`);
  place.later(wayInLimits.joinMs);
  await before.perform();
  place.read(q1);

  const after = await place.start();
  await after.perform(stillBlindMs);
  await after.say('what follows');
  await after.perform();
  place.read(q1);
  expect(place.taken.get(q1)?.answer).toBe(long('one'));
  expect(place.late).toEqual([]);
  expect(after.texts()).toHaveLength(1);
});

test('a long answer that was complete before a kill and that nobody took is replaced by its edit [DAEM-10]', async () => {
  const place = createPlace();
  const before = await place.start();
  const message = await before.say(`HUB-Q:${q1}: ${long('one')}`);
  place.later(wayInLimits.joinMs);
  await before.perform();

  const after = await place.start();
  await after.perform(stillBlindMs);
  await after.edit(message, `HUB-Q:${q1}: no`);
  for (let round = 0; round < 3; round += 1) {
    await after.perform();
    place.read(q1);
  }
  expect(place.taken.get(q1)?.answer).toBe('no');
  expect(place.late).toEqual([]);
});

test.each([
  ['says it better', `HUB-Q:${q1}: one, but better`],
  ['gives it to another question', `HUB-Q:${q2}: one`],
])(
  'where a kill left in doubt whether an answer was taken, and somebody else wrote in its place, an edit that %s changes nothing and is told [DAEM-10]',
  async (_, edit) => {
    const place = createPlace();
    const before = await place.start();
    const message = await before.say(`HUB-Q:${q1}: one`);
    await before.perform();
    place.read(q1);
    const others = {
      qid: q1,
      answer: 'of a liaison',
      answeredBy: 'telegram:bo',
      at: new Date(nowMs).toISOString(),
    };
    place.files.set(q1, { answer: others.answer, digest: answerDigest(others) });

    const after = await place.start();
    await after.perform();
    await after.edit(message, edit);
    for (let round = 0; round < 3; round += 1) {
      await after.perform();
      place.read(q1);
      place.read(q2);
    }
    expect(after.texts()).toEqual([english.alreadyTaken(q1)]);
    expect(place.taken.get(q1)?.answer).toBe('one');
    expect(place.late).toEqual(['of a liaison']);
    expect(place.taken.has(q2)).toBe(false);
    expect(after.answers()).toEqual([]);
  },
);

test('an answer that waits behind the first one is not in doubt after a kill: an edit may still give it to another question [DAEM-10]', async () => {
  const place = createPlace();
  const before = await place.start();
  await before.say(`HUB-Q:${q1}: one`);
  const second = await before.say(`HUB-Q:${q1}: two`);
  await before.perform();

  const after = await place.start();
  await after.perform();
  await after.edit(second, `HUB-Q:${q2}: two`);
  for (let round = 0; round < 3; round += 1) {
    await after.perform();
    place.read(q1);
    place.read(q2);
  }
  expect(place.taken.get(q1)?.answer).toBe('one');
  expect(place.taken.get(q2)?.answer).toBe('two');
  expect(place.late).toEqual([]);
  expect(after.texts()).toEqual([]);
});

test('an answer that was never tried to be written may still be edited after its question has closed', async () => {
  const place = createPlace();
  place.taken.set(q1, { answer: 'earlier', digest: '' });
  const process = await place.start();
  const message = await process.say(`HUB-Q:${q1}: one`);
  // Both came in one poll.
  await process.edit(message, `HUB-Q:${q1}: one, but better`);
  await process.perform();
  place.read(q1);
  expect(place.late).toEqual(['one, but better']);
  expect(process.texts()).toEqual([]);
});
