/**
 * A world whose person sits at Telegram: the Bot API test server over real HTTP, one bot, a private chat with Ann and a
 * forum, and daemons that are told of them as a person would tell them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBotApi, type BotApi, type BotApiOptions } from '../../../../tooling/src/bot-api/server.ts';
import type { Message, User } from '../../../../tooling/src/bot-api/world.ts';
import { createWorld, type Daemon } from './world.ts';
import { waitFor } from './wait-for.ts';

export const ANN: User = { id: 42, is_bot: false, first_name: 'Ann', username: 'ann' };
export const BOB: User = { id: 77, is_bot: false, first_name: 'Bob' };
export const STRANGER: User = { id: 666, is_bot: false, first_name: 'Eve', username: 'eve' };
export const CHAT = 42;
export const FORUM = -100_700;
export const TOPIC = 7;
export const GROUP = -500;

export interface DaemonOptions {
  readonly env?: Record<string, string>;
  readonly node?: readonly string[];
  readonly name?: string;
  readonly project?: string;
  /** Default the private chat. */
  readonly to?: string;
  /** Default Ann. */
  readonly allow?: readonly User[];
  readonly token?: string;
}

export const createTelegramWorld = async (options: BotApiOptions = {}) => {
  const world = createWorld();
  const api: BotApi = await startBotApi(options);
  api.world.addChat({ id: CHAT, type: 'private', first_name: 'Ann', username: 'ann' });
  api.world.addChat({ id: FORUM, type: 'supergroup', title: 'Team', is_forum: true });
  api.world.addChat({ id: GROUP, type: 'group', title: 'Deploys' });
  api.world.addTopic(FORUM, { id: TOPIC, name: 'Releases' });

  const tokens = join(world.root, 'tokens');
  mkdirSync(tokens, { mode: 0o700 });
  const tokenFile = (token: string): string => {
    const path = join(tokens, token.replace(/:.*/, ''));
    writeFileSync(path, `${token}\n`, { mode: 0o600 });
    return path;
  };
  const env = (token: string = api.token): Record<string, string> => ({
    TELEGRAM_API_ROOT: api.root,
    TELEGRAM_BOT_TOKEN_FILE: tokenFile(token),
  });
  const flags = ({ to = `telegram:${CHAT}`, allow = [ANN] }: DaemonOptions = {}): string[] => [
    '--transport',
    'telegram',
    '--to',
    to,
    ...allow.flatMap(({ id }) => ['--allow-user', `${id}`]),
  ];

  const daemon = (more: readonly string[] = [], given: DaemonOptions = {}): Promise<Daemon> => {
    const { name, project, node } = given;
    return world.daemon([...flags(given), ...more], {
      env: { ...env(given.token), ...given.env },
      ...(name === undefined ? {} : { name }),
      ...(project === undefined ? {} : { project }),
      ...(node === undefined ? {} : { node }),
    });
  };

  const own = (chat: number): readonly Message[] =>
    api.world.messages(chat).filter(({ from }) => from?.id === api.world.bot.id);
  /** Messages that hold the question, or a part of it, in order; copies too. */
  const questions = (qid: string, chat: number = CHAT): readonly Message[] =>
    own(chat).filter(({ text }) => text?.startsWith(`❓ [HUB-Q:${qid}]`));
  const question = (qid: string, chat: number = CHAT): Promise<Message> =>
    waitFor(`question ${qid} in chat ${chat}`, () => questions(qid, chat).at(-1));

  return {
    ...world,
    api,
    questionsDir: world.questions,
    /** As every process of this world has it, without Telegram. */
    environment: world.env,
    env,
    flags,
    daemon,
    own,
    questions,
    question,
    /** Texts of the bot in a chat, in order. */
    texts: (chat: number = CHAT): string[] => own(chat).map(({ text = '' }) => text),
    /** Somebody says something; a reply to the newest message of a question where `to` names one. */
    say: async (
      text: string,
      more: {
        readonly to?: string;
        readonly from?: User;
        readonly chat?: number;
        readonly topic?: number;
      } = {},
    ): Promise<Message> => {
      const { chat = CHAT, from = ANN, topic } = more;
      const reply = more.to === undefined ? null : await question(more.to, chat);
      return api.world.say({
        chat,
        from,
        text,
        ...(reply === null ? {} : { reply_to: reply.message_id }),
        ...(topic === undefined ? {} : { thread: topic, topic_message: true }),
      });
    },
    /** Somebody presses the button that starts with these words, under the newest message of a question. */
    press: async (qid: string, words: string, from: User = ANN, chat: number = CHAT): Promise<void> => {
      const message = await question(qid, chat);
      const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes(words));
      if (button === undefined) throw new Error(`question ${qid} has no button ${words}`);
      api.world.press({ chat, message: message.message_id, button: button.text, from });
    },
    /** Settles when a daemon polls. */
    polling: (): Promise<boolean> => waitFor('a poll', () => api.polling > 0),
    end: async (): Promise<void> => {
      await world.end();
      await api.close();
    },
  };
};

export type TelegramWorld = Awaited<ReturnType<typeof createTelegramWorld>>;
