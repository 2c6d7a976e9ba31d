/** Makes the transport from what the command line and the environment name: takes the token for this process, and looks at it once. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { UserFromGetMe } from 'grammy/types';
import type { Logger } from '../../log/operational-log.ts';
import type { QuestionTransport } from '../question-transport.ts';
import { createTelegramClient, type TelegramClient } from './api-client.ts';
import type { Target } from './ports.ts';
import { openQuestionBook } from './question-book.ts';
import { redactorOf } from './redact.ts';
import { telegramLimits } from './telegram-limits.ts';
import { botIdOf } from './telegram-token.ts';
import { createTelegramTransport } from './telegram.ts';
import { holdToken, lockFolder } from './token-lock.ts';

/** All of it parsed. */
export interface TelegramSettings {
  readonly token: string;
  readonly apiRoot: string;
  readonly target: Target;
  readonly allow: ReadonlySet<number>;
}

export type TelegramOpening =
  | { readonly code: 'transport'; readonly transport: QuestionTransport }
  | { readonly code: 'refused'; readonly message: string };

interface OpenParts {
  readonly settings: TelegramSettings;
  /** Of the daemon, for whoever wants the same token. */
  readonly name: string;
  readonly project: string;
  readonly stateDir: string;
  readonly log: Logger;
}

type Look =
  | { readonly code: 'me'; readonly me: UserFromGetMe | null }
  | { readonly code: 'refused'; readonly message: string };

/** A token that Telegram does not know is said at once; a network that is down is not the token's fault. */
const lookAtToken = async (client: TelegramClient, apiRoot: string, log: Logger): Promise<Look> => {
  const { signal } = new AbortController();
  const outcome = await client.call((api, within) => api.getMe(within), {
    signal,
    timeoutMs: telegramLimits.getMeMs,
  });
  if (outcome.code === 'ok') return { code: 'me', me: outcome.value };
  if (outcome.code === 'aborted') return { code: 'me', me: null };
  if (outcome.code === 'refused' && [401, 404].includes(outcome.status))
    return {
      code: 'refused',
      message: `Telegram does not know this bot token (${outcome.status}, asked at ${apiRoot}): copy it again from @BotFather, who may have given a new one`,
    };
  log.warn({ why: outcome.message }, 'Telegram is not reached; it is tried again until it is');
  return { code: 'me', me: null };
};

/** Rejects only on a bug or a failing disk. What it took is given free where it refuses. */
export const openTelegram = async (parts: OpenParts): Promise<TelegramOpening> => {
  const { settings, name, project, stateDir, log } = parts;
  const { token, apiRoot, target, allow } = settings;
  const since = new Date().toISOString();
  const hold = await holdToken({
    token,
    holder: { pid: process.pid, name, project, since },
    folder: lockFolder(),
  });
  if (hold.code === 'refused') return hold;
  try {
    const client = createTelegramClient({ token, apiRoot, redact: redactorOf(token), log });
    const look = await lookAtToken(client, apiRoot, log);
    if (look.code === 'refused') {
      await hold.release();
      return look;
    }
    const folder = join(stateDir, 'telegram', botIdOf(token));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const book = openQuestionBook({ folder, log });
    const { me } = look;
    const transport = createTelegramTransport({
      client,
      book,
      target,
      allow,
      me,
      folder,
      log,
      release: hold.release,
    });
    return { code: 'transport', transport };
  } catch (error) {
    await hold.release();
    throw error;
  }
};
