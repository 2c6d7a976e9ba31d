// The bugs: after a kill at the wrong moment an answer counts twice, goes to another question, or is gone; an update that
// the server hands out again takes effect again.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Update } from 'grammy/types';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Qid } from '@x/bridge';
import { answerBytes, type AnswerWriter } from './answer-writer.ts';
import { createOwedWork } from './owed-work.ts';
import { english } from './person-texts.ts';
import type { PersonDesk } from './ports.ts';
import { createStateKeeper } from './state-keeper.ts';
import { createUpdateHandler } from './update-handler.ts';
import { emptyState, readState, type UpdatesState } from './updates-state.ts';
import { ann, bo, chat, listeningTo, me, nowMs, openQuestion, qidOf, stranger } from './way-in.fixture.ts';

const runs = process.env['FULL'] === '1' ? 20_000 : 400;
const log = pino({ level: 'silent' });
const people = [ann, bo];

/** Questions 0 to 2 are ours; the last is of a daemon that does not run, so that its answer waits unread. */
const qids = ['1', '2', '3', '4'].map((end) => qidOf(`01ARZ3NDEKTSV4RRFFQ69G5FA${end}`));
const foreign = 3;
const longUnits = 4_000;

type Step =
  | {
      readonly do: 'answer';
      readonly who: number;
      readonly question: number;
      readonly by: 'reply' | 'code';
      readonly long: boolean;
    }
  | { readonly do: 'bare'; readonly who: number; readonly long: boolean }
  | { readonly do: 'press'; readonly who: number; readonly question: number; readonly option: number }
  | { readonly do: 'press_draft'; readonly draft: number; readonly question: number }
  | { readonly do: 'edit'; readonly message: number }
  | { readonly do: 'stranger'; readonly question: number }
  | { readonly do: 'redeliver'; readonly update: number }
  | { readonly do: 'wait' }
  | { readonly do: 'foreign_runs' };

const who = fc.nat({ max: 1 });
const question = fc.nat({ max: 3 });
const stepArb: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      who,
      question,
      by: fc.constantFrom('reply' as const, 'code' as const),
      long: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('bare' as const), who, long: fc.constant(false) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('press' as const), who, question, option: fc.nat({ max: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('press_draft' as const), draft: fc.nat(), question }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), message: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stranger' as const), question }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('redeliver' as const), update: fc.nat() }) },
  { weight: 2, arbitrary: fc.constant({ do: 'wait' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'foreign_runs' as const }) },
);

/** What survives a kill: the state file, the answer files, and what the bridge has taken. */
interface Durable {
  state: string;
  readonly files: Map<Qid, string>;
  readonly taken: Map<Qid, string>;
  readonly late: { readonly qid: Qid; readonly bytes: string }[];
  readonly book: Map<number, Qid>;
}

const digestOf = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

/** The bridge reads the answer of a question, as source 004 has it. */
const read = (durable: Durable, qid: Qid): void => {
  const bytes = durable.files.get(qid);
  if (bytes === undefined) return;
  const taken = durable.taken.get(qid);
  if (taken === undefined) durable.taken.set(qid, bytes);
  else if (taken !== bytes) durable.late.push({ qid, bytes });
  durable.files.delete(qid);
};

/** A process that is killed at the `killAt`th thing it does to the disk, before or after it is done. */
const startProcess = (durable: Durable, clock: { readonly now: number }, killAt: number) => {
  let done = 0;
  let onKill = (): void => undefined;
  const killed = new Promise<'killed'>((resolve) => {
    onKill = () => resolve('killed');
  });
  const never = new Promise<never>(() => undefined);
  const act = async <Result>(effect: () => Result): Promise<Result> => {
    done += 1;
    if (done === killAt) {
      if (killAt % 2 === 0) effect();
      onKill();
    }
    if (done >= killAt) return never;
    await Promise.resolve();
    return effect();
  };
  const reading = readState(durable.state);
  const stored: UpdatesState = reading.code === 'state' ? reading.state : emptyState;
  const ending = new AbortController();
  const now = (): number => clock.now;
  const keeper = createStateKeeper({
    file: {
      load: async () => ({ state: stored, damaged: null }),
      save: (state) =>
        act(() => {
          durable.state = JSON.stringify(state);
        }),
    },
    log,
    signal: ending.signal,
    now,
    backoffFirstMs: 1,
  });
  const writer: AnswerWriter = {
    sweep: async () => undefined,
    write: (answer) =>
      act(() => {
        const bytes = answerBytes(answer);
        const there = durable.files.get(answer.qid);
        const digest = digestOf(bytes);
        if (there !== undefined && there !== bytes && !answer.replaces.includes(digestOf(there)))
          return { code: 'occupied' as const };
        durable.files.set(answer.qid, bytes);
        return { code: 'written' as const, digest };
      }),
  };
  const standing = (qid: Qid): 'open' | 'closed' | 'unknown' =>
    !qids.includes(qid) ? 'unknown' : durable.taken.has(qid) ? 'closed' : 'open';
  const desk: PersonDesk = {
    open: () =>
      qids.filter((qid) => standing(qid) === 'open' && qid !== qids[foreign]).map((qid) => openQuestion(qid)),
    standing,
    cancel: async () => false,
    look: (qid) => act(() => (qid === qids[foreign] ? undefined : read(durable, qid))),
    questionsDir: '',
    stateDir: '',
  };
  const view = {
    open: () => desk.open(),
    standing,
    optionOf: (token: string) => {
      const [mark, at, index] = token.split(' ');
      const qid = qids[Number(at)];
      return mark === 'option' && qid !== undefined ? { qid, index: Number(index) } : null;
    },
    qidOf: (_: number, message: number) => durable.book.get(message) ?? null,
    topic: null,
    texts: english,
  };
  const handler = createUpdateHandler({
    keeper,
    book: { moved: async () => undefined, met: () => undefined },
    view,
    listening: listeningTo(chat),
    refusedDir: '',
    preparedDir: '',
    toast: () => undefined,
    log,
    signal: ending.signal,
    now,
  });
  const work = createOwedWork({ keeper, writer, desk, log, now, backoffFirstMs: 1 });
  const unlessKilled = (task: () => Promise<unknown>): Promise<'done' | 'killed'> =>
    Promise.race([killed, task().then(() => 'done' as const)]);
  return {
    /** The bridge reads what lies there before anything else; then the way in does what it owes. */
    begin: () =>
      unlessKilled(async () => {
        for (const qid of qids) if (qid !== qids[foreign]) read(durable, qid);
        await keeper.load();
        work.resume();
        await work.perform(0);
      }),
    handle: (update: Update) =>
      unlessKilled(async () => {
        await handler.handle(update, me);
        await work.perform(0);
      }),
    perform: () =>
      unlessKilled(async () => {
        await work.perform(0);
        await keeper.save();
      }),
    state: () => keeper.state(),
  };
};

interface Spoken {
  readonly message: number;
  readonly who: number;
  /** Where it names a question: what stands before the words. */
  readonly code: string;
  readonly reply: number | null;
  text: string;
}

interface Given {
  readonly question: number;
  readonly pieces: { readonly message: number; text: string }[];
}

const joined = ({ pieces }: Given): string => pieces.map(({ text }) => text).join('');

/** The right outcome, worked out without any of the code under test. */
const createModel = () => {
  const given: Given[][] = qids.map(() => []);
  /** Every form that an answer to a question ever had: what comes late must be among them. */
  const forms = qids.map(() => new Set<string>());
  const drafts = new Map<number, { text: string }>();
  const holding = new Map<number, Given>();
  const frozen = new Set<number>();
  const isHeld = (answer: Given): boolean => [...holding.values()].includes(answer);
  /** Ours are read at once, unless the first one still waits for its end. */
  const freeze = (): void => {
    for (const [index, answers] of given.entries()) {
      const [first] = answers;
      if (index !== foreign && first !== undefined && !isHeld(first)) frozen.add(index);
      for (const answer of answers) forms[index]?.add(joined(answer));
    }
  };
  const give = (index: number, message: number, text: string): Given => {
    const answer = { question: index, pieces: [{ message, text }] };
    given[index]?.push(answer);
    return answer;
  };
  const isOpen = (): boolean => qids.some((_, index) => index !== foreign && !frozen.has(index));
  const goesOn = (spoken: Spoken): boolean => {
    const held = holding.get(spoken.who);
    held?.pieces.push({ message: spoken.message, text: spoken.text });
    return held !== undefined;
  };
  const draft = ({ message, text }: Spoken): void => {
    if (isOpen()) drafts.set(message, { text });
  };
  return {
    answer: (index: number, spoken: Spoken, long: boolean) => {
      holding.delete(spoken.who);
      const answer = give(index, spoken.message, spoken.text);
      if (long) holding.set(spoken.who, answer);
      freeze();
    },
    bare: (spoken: Spoken) => {
      if (!goesOn(spoken)) draft(spoken);
      freeze();
    },
    press: (index: number, text: string) => {
      give(index, -1, text);
      freeze();
    },
    pressDraft: (message: number, index: number) => {
      const said = drafts.get(message);
      if (said === undefined || frozen.has(index)) return;
      drafts.delete(message);
      give(index, message, said.text);
      freeze();
    },
    edit: (spoken: Spoken) => {
      const { message, text } = spoken;
      const said = drafts.get(message);
      const pieces = given.flatMap((answers) =>
        answers.flatMap((answer, place) =>
          answer.pieces
            .filter((piece) => piece.message === message)
            .map((piece) => ({ piece, fixed: place === 0 && frozen.has(answer.question) })),
        ),
      );
      if (said !== undefined) said.text = text;
      for (const { piece, fixed } of pieces) if (!fixed) piece.text = text;
      // What nobody was asked about is looked at anew.
      if (said === undefined && pieces.length === 0) draft(spoken);
      freeze();
    },
    wait: () => {
      holding.clear();
      freeze();
    },
    foreignRuns: () => {
      const first = given[foreign]?.[0];
      if (first !== undefined && !isHeld(first)) frozen.add(foreign);
    },
    /** Of each question the answer that counts, or null. */
    expected: () => given.map(([first]) => (first === undefined ? null : joined(first))),
    count: (index: number) => given[index]?.length ?? 0,
    forms: (index: number) => [...(forms[index] ?? [])],
  };
};

/** Telegram, two people, and the process that is killed and started again. */
const createScene = (kills: readonly number[]) => {
  const clock = { now: nowMs };
  const durable: Durable = {
    state: JSON.stringify(emptyState),
    files: new Map(),
    taken: new Map(),
    late: [],
    book: new Map(qids.map((qid, index) => [index + 1, qid])),
  };
  const killsLeft = [...kills];
  const start = () => startProcess(durable, clock, killsLeft.shift() ?? Number.POSITIVE_INFINITY);
  let running = start();
  const updates: Update[] = [];
  return {
    clock,
    durable,
    updates,
    running: () => running,
    /** Does a task until no kill comes in between; each kill is followed by a new process. */
    surely: async (task: (on: typeof running) => Promise<'done' | 'killed'>): Promise<void> => {
      while ((await task(running)) === 'killed') {
        running = start();
        while ((await running.begin()) === 'killed') running = start();
      }
    },
    updateOf: (content: object): Update => {
      const update = { update_id: 100 + updates.length, ...content } as Update; // As the Bot API gives it.
      updates.push(update);
      return update;
    },
  };
};

const where = { id: chat, type: 'private' };
const ours = { date: 1, chat: where, from: { id: me.id, is_bot: true }, text: '❓' };

const simulate = async (steps: readonly Step[], kills: readonly number[]): Promise<void> => {
  const { clock, durable, updates, running, surely, updateOf } = createScene(kills);
  const model = createModel();
  const spoken: Spoken[] = [];
  const offered: {
    readonly message: number;
    readonly who: number;
    readonly tokens: ReadonlyMap<Qid, string>;
  }[] = [];
  const pressed = new Set<string>();
  let message = 10;
  let words = 0;

  const freshWords = (long: boolean): string => {
    words += 1;
    return `w${words}`.padEnd(long ? longUnits : 0, '.');
  };
  const messageOf = (said: Spoken, from: object = people[said.who] ?? ann) => ({
    message_id: said.message,
    date: Math.floor(clock.now / 1_000),
    chat: where,
    from,
    text: said.code + said.text,
    ...(said.reply === null ? {} : { reply_to_message: { message_id: said.reply, ...ours } }),
  });
  const speak = (person: number, rest: Pick<Spoken, 'code' | 'reply' | 'text'>): Spoken => {
    message += 1;
    return { message, who: person, ...rest };
  };
  const press = (person: number, data: string): Update => {
    const query = { id: String(updates.length), from: people[person] ?? ann, chat_instance: '1', data };
    return updateOf({ callback_query: { ...query, message: { message_id: 1, ...ours } } });
  };

  /** Tells the model what is right, and gives what Telegram then sends. */
  const happen = (step: Step): Update | null => {
    switch (step.do) {
      case 'answer': {
        const code = step.by === 'code' ? `HUB-Q:${qids[step.question] ?? ''}: ` : '';
        const reply = step.by === 'reply' ? step.question + 1 : null;
        const said = speak(step.who, { code, reply, text: freshWords(step.long) });
        spoken.push(said);
        model.answer(step.question, said, step.long);
        return updateOf({ message: messageOf(said) });
      }
      case 'bare': {
        const said = speak(step.who, { code: '', reply: null, text: freshWords(false) });
        spoken.push(said);
        model.bare(said);
        return updateOf({ message: messageOf(said) });
      }
      case 'press': {
        const key = JSON.stringify([step.who, step.question, step.option]);
        if (!pressed.has(key)) model.press(step.question, String(step.option + 1));
        pressed.add(key);
        return press(step.who, `option ${step.question} ${step.option}`);
      }
      case 'press_draft': {
        const draft = offered[step.draft % Math.max(1, offered.length)];
        const qid = qids[step.question];
        const token = qid === undefined ? undefined : draft?.tokens.get(qid);
        if (draft === undefined || token === undefined) return null;
        model.pressDraft(draft.message, step.question);
        return press(draft.who, token);
      }
      case 'edit': {
        const said = spoken[step.message % Math.max(1, spoken.length)];
        if (said === undefined) return null;
        said.text = freshWords(said.text.length >= longUnits);
        model.edit(said);
        return updateOf({ edited_message: { ...messageOf(said), edit_date: Math.floor(clock.now / 1_000) } });
      }
      case 'stranger': {
        const said = speak(0, { code: '', reply: step.question + 1, text: freshWords(false) });
        return updateOf({ message: messageOf(said, stranger) });
      }
      case 'redeliver':
        return updates[step.update % Math.max(1, updates.length)] ?? null;
      case 'wait':
        clock.now += 3_000;
        model.wait();
        return null;
      case 'foreign_runs': {
        model.foreignRuns();
        const qid = qids[foreign];
        if (qid !== undefined) read(durable, qid);
        return null;
      }
      default:
        return step satisfies never;
    }
  };
  const take = async (step: Step): Promise<void> => {
    const update = happen(step);
    await surely((on) => (update === null ? on.perform() : on.handle(update)));
    if (step.do !== 'bare') return;
    const draft = running()
      .state()
      .drafts.find(({ pieces }) => pieces[0]?.message === message);
    if (draft === undefined) return;
    const tokens = new Map(draft.buttons.map(({ token, qid }) => [qid, token]));
    offered.push({ message, who: step.who, tokens });
  };

  for (const step of steps) await take(step);
  // Everything is complete, and the other daemon takes one answer after the other.
  for (let round = 0; round <= steps.length; round += 1) {
    await take({ do: 'wait' });
    await take({ do: 'foreign_runs' });
  }

  const answerIn = (bytes: string | undefined): string | null =>
    bytes === undefined ? null : (JSON.parse(bytes) as { answer: string }).answer; // Written by the code under test.
  expect(qids.map((qid) => answerIn(durable.taken.get(qid)))).toEqual(model.expected());
  // Every other answer came late, to its own question, whatever became of the first one.
  for (const [index, qid] of qids.entries()) {
    const late = durable.late.filter((entry) => entry.qid === qid).map(({ bytes }) => bytes);
    for (const bytes of late) expect(model.forms(index)).toContain(answerIn(bytes));
    expect(new Set(late).size).toBe(Math.max(0, model.count(index) - 1));
  }
  expect(running().state().answers).toEqual([]);
  expect(durable.files.size).toBe(0);
};

/**
 * A program that failed once. The second answer was written before it was stored that the first one was; after a kill an
 * edit of the first, which was taken, went to the bridge as one more answer.
 */
const editOfTaken: Step[] = [
  { do: 'answer', who: 0, question: foreign, by: 'reply', long: true },
  { do: 'answer', who: 0, question: foreign, by: 'reply', long: false },
  { do: 'foreign_runs' },
  { do: 'edit', message: 0 },
  { do: 'redeliver', update: 0 },
];
const killsMax = 12;
/** With a kill at every moment, as a change of the code moves the one that matters. */
const examples = Array.from({ length: killsMax }, (_, at): [Step[], number[]] => [editOfTaken, [at + 1]]);

test('whatever is said, edited, pressed, handed out again and killed in between: each question gets its first answer, and no other [DAEM-10]', async () => {
  const program = fc.array(stepArb, { minLength: 1, maxLength: 25 });
  const kills = fc.array(fc.integer({ min: 1, max: killsMax }), { maxLength: 10 });
  await fc.assert(fc.asyncProperty(program, kills, simulate), { numRuns: runs, examples });
});
