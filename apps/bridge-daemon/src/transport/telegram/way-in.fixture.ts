/** What tests of the way in share: a Telegram without a network, a person's desk, a book of sent messages. */
import { answerFileName, parseQid, type Qid, type Question } from '@x/bridge';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Api, Context } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { createPlace } from '../../../../../tooling/src/bot-api/place.ts';
import { createWorld, type World } from '../../../../../tooling/src/bot-api/world.ts';
import { hear, type Heard, type Listening } from './heard.ts';
import { english } from './person-texts.ts';
import type { OpenQuestion, PersonDesk, QuestionBook } from './ports.ts';
import type { DeskView } from './scene.ts';

export const ann = { id: 7, is_bot: false, first_name: 'Ann', username: 'ann' };
export const bo = { id: 8, is_bot: false, first_name: 'Bo' };
export const stranger = { id: 99, is_bot: false, first_name: 'Eve', username: 'eve' };
export const chat = 42;
export const group = -500;
export const botId = 1_234_567_890;

export const me = {
  id: botId,
  is_bot: true,
  first_name: 'Test bot',
  username: 'test_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
} as UserFromGetMe; // The rest of its fields is read by nobody.

export const qidOf = (text: string): Qid => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};
export const q1 = qidOf('01ARZ3NDEKTSV4RRFFQ69G5FA1');
export const q2 = qidOf('01ARZ3NDEKTSV4RRFFQ69G5FA2');
export const nobodys = qidOf('01ARZ3NDEKTSV4RRFFQ69G5FZZ');

export const nowMs = Date.parse('2026-11-30T10:00:00Z');

/** People and chats without a server; times stand still at `nowMs` unless a test moves them. */
export const quietWorld = (now: () => number = () => nowMs): World => {
  const place = createPlace(now);
  const bot = place.addBot(
    { id: botId, is_bot: true, first_name: 'Test bot', username: 'test_bot' },
    `${botId}:TEST`,
  );
  const world = createWorld(place, bot);
  world.setReadsAll(true);
  world.addChat({ id: chat, type: 'private', first_name: 'Ann' });
  world.addChat({ id: group, type: 'group', title: 'Team' });
  return world;
};

/** The updates that came since the last call, as grammY types them. */
export const takeUpdates = (world: World): Update[] => {
  const taken = JSON.parse(JSON.stringify(world.updates)) as Update[]; // The test server's are the Bot API's.
  world.confirm(Number.MAX_SAFE_INTEGER);
  return taken;
};

export const listeningTo = (to: number, currentChat: (id: number) => number = (id) => id): Listening => ({
  chat: to,
  users: new Set([ann.id, bo.id]),
  currentChat,
});

export const heardIn = (update: Update, listening: Listening): Heard =>
  hear(new Context(update, new Api('none'), me), listening);

export const questionOf = (text: string, ...titles: readonly string[]): Question => ({
  question: text,
  options: titles.map((title) => ({ title })),
});

export const openQuestion = (qid: Qid, question = questionOf('Deploy?', 'Yes', 'No')): OpenQuestion => ({
  qid,
  question,
  askedAt: new Date(nowMs).toISOString(),
  deadline: new Date(nowMs + 1_800_000).toISOString(),
});

/** The facts that rules look at, as a test sets them. */
export const viewOf = (facts: Partial<DeskView> = {}): DeskView => ({
  open: () => [openQuestion(q1), openQuestion(q2)],
  standing: (qid) => (qid === q1 || qid === q2 ? 'open' : 'unknown'),
  optionOf: () => null,
  qidOf: () => null,
  topic: null,
  texts: english,
  ...facts,
});

export interface FakeBook extends QuestionBook {
  readonly messages: Map<string, Qid>;
  readonly buttons: Map<string, { readonly qid: Qid; readonly index: number }>;
}

export const fakeBook = (): FakeBook => {
  const messages = new Map<string, Qid>();
  const buttons = new Map<string, { readonly qid: Qid; readonly index: number }>();
  const moves = new Map<number, number>();
  return {
    messages,
    buttons,
    optionOf: (token) => buttons.get(token) ?? null,
    qidOf: (id, message) => messages.get(`${id}:${message}`) ?? null,
    currentChat: (id) => moves.get(id) ?? id,
    met: () => undefined,
    moved: async (from, to) => void moves.set(from, to),
  };
};

export interface FakeDesk extends PersonDesk {
  ask(question: OpenQuestion): void;
  /** Closes a question without an answer. */
  close(qid: Qid): void;
  /** What was accepted, and what came late, as files. */
  readonly accepted: Map<Qid, Record<string, unknown>>;
  readonly late: { readonly qid: Qid; readonly answer: unknown }[];
  readonly cancelled: string[];
}

/** Takes answers as the bridge does: the first one counts, the same bytes again mean nothing, another one is late. */
export const fakeDesk = (stateDir: string, questionsDir: string): FakeDesk => {
  const open = new Map<Qid, OpenQuestion>();
  const closed = new Map<Qid, string>();
  const accepted: FakeDesk['accepted'] = new Map();
  const late: { qid: Qid; answer: unknown }[] = [];
  const cancelled: string[] = [];
  return {
    questionsDir,
    stateDir,
    accepted,
    late,
    cancelled,
    ask: (question) => void open.set(question.qid, question),
    close: (qid) => {
      open.delete(qid);
      closed.set(qid, '');
    },
    open: () => [...open.values()],
    standing: (qid) => (open.has(qid) ? 'open' : closed.has(qid) ? 'closed' : 'unknown'),
    cancel: async (qid, by) => {
      if (!open.delete(qid)) return false;
      closed.set(qid, '');
      cancelled.push(`${qid} ${by}`);
      return true;
    },
    look: async (qid) => {
      const path = join(questionsDir, answerFileName(qid));
      if (!existsSync(path) || !(open.has(qid) || closed.has(qid))) return;
      const bytes = readFileSync(path, 'utf8');
      const digest = createHash('sha256').update(bytes).digest('hex');
      const answer = JSON.parse(bytes) as Record<string, unknown>; // Written by the code under test.
      if (open.delete(qid)) {
        closed.set(qid, digest);
        accepted.set(qid, answer);
      } else if (closed.get(qid) !== digest) late.push({ qid, answer: answer['answer'] });
      rmSync(path);
    },
  };
};
