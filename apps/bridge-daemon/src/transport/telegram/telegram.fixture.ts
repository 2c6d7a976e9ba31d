/** Shared by the tests of the way out: a transport before the Bot API test server, in a folder of its own. Never part of the build. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid, type Qid } from '@x/bridge';
import { pino } from 'pino';
import { startBotApi, type BotApi } from '../../../../../tooling/src/bot-api/server.ts';
import type { PutNote, PutQuestion, QuestionTransport } from '../question-transport.ts';
import { createTelegramClient } from './api-client.ts';
import type { Target } from './ports.ts';
import { openQuestionBook } from './question-book.ts';
import { redactorOf } from './redact.ts';
import { createTelegramTransport } from './telegram.ts';

export const chat = 42;

const qidOf = (text: string): Qid => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};
export const qid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
export const otherQid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0B');

export const put = (more: Partial<PutQuestion> = {}): PutQuestion => ({
  qid,
  question: { question: 'Go?', options: [{ title: 'Yes' }, { title: 'No' }] },
  project: 'default',
  repeat: false,
  timeoutMs: 60_000,
  ...more,
});

export const putNote = (note: PutNote['note'], more: Partial<PutNote> = {}): PutNote => ({
  qid,
  note,
  question: put().question,
  project: 'default',
  timeoutMs: 60_000,
  messageIds: [],
  outcome: null,
  ...more,
});

export interface TelegramWorld {
  readonly server: BotApi;
  readonly folder: string;
  /** What the log says, one line an entry. */
  readonly logged: readonly string[];
  /** A daemon's start: another one on the same folder is as after a kill. */
  readonly start: (how?: {
    readonly target?: Target;
    readonly requestMs?: number;
    readonly now?: () => number;
  }) => QuestionTransport;
  /** Texts of the chat, in order. */
  readonly texts: (of?: number) => string[];
  /** Texts on the buttons under a message. */
  readonly buttons: (message: number) => string[];
  readonly end: () => Promise<void>;
}

export const createTelegramWorld = async (): Promise<TelegramWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'bd-telegram-'));
  const server = await startBotApi();
  server.world.addChat({ id: chat, type: 'private' });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) });
  const started: QuestionTransport[] = [];
  return {
    server,
    folder,
    logged,
    start: ({ target = { chat, topic: null }, requestMs = 2_000, now = Date.now } = {}) => {
      const { token, root: apiRoot } = server;
      const client = createTelegramClient({ token, apiRoot, redact: redactorOf(token), log, now });
      const book = openQuestionBook({ folder, log, now });
      const parts = { client, book, target, allow: new Set([7]), me: null, folder, log, requestMs, now };
      const transport = createTelegramTransport(parts);
      started.push(transport);
      return transport;
    },
    texts: (of = chat) => server.world.messages(of).map(({ text = '' }) => text),
    buttons: (message) =>
      server.world
        .message(chat, message)
        ?.reply_markup?.inline_keyboard.flat()
        .map(({ text }) => text) ?? [],
    end: async () => {
      await Promise.all(started.map((transport) => transport.close(0)));
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
