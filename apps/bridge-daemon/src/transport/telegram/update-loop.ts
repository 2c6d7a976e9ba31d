/**
 * Long polling with one request in flight. An update is told to the server as handled by the poll that follows its
 * effects, never before; pending updates are never dropped (05 The daemon).
 */
import type { Update } from 'grammy/types';
import type { Logger } from '../../log/operational-log.ts';
import type { Trouble } from '../../status.ts';
import type { TelegramClient } from './api-client.ts';
import { createBackoff } from './backoff.ts';
import { pause } from './pause.ts';
import type { CallOutcome } from './ports.ts';
import { isNumbered } from './update-shape.ts';
import { wayInLimits } from './way-in-limits.ts';

export interface UpdateLoop {
  /** Polls until the signal is aborted. Never rejects. */
  run(): Promise<void>;
  /** Why updates cannot be fetched; null where they can. */
  trouble(): Trouble | null;
  /** Milliseconds since the last poll that was answered; null before the first. */
  sincePollMs(): number | null;
}

interface LoopParts {
  readonly client: Pick<TelegramClient, 'call'>;
  /** The first id that is wanted, or null for all there is. Settles when all before it is stored. */
  readonly offset: () => Promise<number | null>;
  /** Handles what a poll brought, in order. An exception leads to another poll. */
  readonly onUpdates: (updates: readonly Update[]) => Promise<void>;
  /** A poll failed: what was said meanwhile is not known. */
  readonly onTrouble: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly backoffFirstMs: number;
  /** How long a poll may take beyond what the server was asked to wait. */
  readonly slackMs: number;
}

type Failure = Extract<CallOutcome<unknown>, { code: 'refused' | 'unreachable' | 'unknown' }>;

/** What status says; each ends in what to do, where there is something to do. */
const refusals: Readonly<Record<number, string>> = {
  401: 'Telegram does not know the bot token any more: get the current one from @BotFather and restart',
  404: 'Telegram does not know the bot token any more: get the current one from @BotFather and restart',
  409: 'another program fetches the updates of this bot: stop it, or give each its own bot',
};

export const pollTroubleText = (failure: Failure): string => {
  const words = failure.code === 'refused' ? refusals[failure.status] : undefined;
  const given = failure.code === 'refused' ? `${failure.status}: ${failure.message}` : failure.message;
  return words === undefined ? `updates cannot be fetched: ${given}` : `${words} (${given})`;
};

export const createUpdateLoop = (parts: LoopParts): UpdateLoop => {
  const { client, log, signal, now } = parts;
  const backoff = createBackoff(parts.backoffFirstMs);
  let trouble: Trouble | null = null;
  let polledAt: number | null = null;

  const poll = (offset: number | null): Promise<CallOutcome<Update[]>> => {
    // The first one, and the first one after trouble, comes back at once: whether it works is known at once.
    const timeout = polledAt === null || trouble !== null ? 0 : wayInLimits.pollSeconds;
    return client.call(
      (api, within) =>
        api.getUpdates(
          {
            ...(offset === null ? {} : { offset }),
            limit: wayInLimits.updatesPerPoll,
            timeout,
            allowed_updates: ['message', 'edited_message', 'callback_query', 'my_chat_member'],
          },
          within,
        ),
      { signal, timeoutMs: timeout * 1_000 + parts.slackMs },
    );
  };

  const failed = async (reason: string): Promise<void> => {
    if (trouble?.reason !== reason) log.warn({ reason }, 'updates cannot be fetched');
    trouble = { reason, since: trouble?.since ?? now() };
    parts.onTrouble();
    await pause(backoff.nextMs(), signal);
  };

  const worked = (): void => {
    if (trouble !== null) log.info({ since: new Date(trouble.since).toISOString() }, 'updates come again');
    trouble = null;
    polledAt = performance.now();
    backoff.reset();
  };

  const once = async (): Promise<void> => {
    const outcome = await poll(await parts.offset());
    if (outcome.code === 'aborted') return;
    if (outcome.code !== 'ok') return failed(pollTroubleText(outcome));
    const given: unknown = outcome.value;
    if (!Array.isArray(given)) return failed('updates cannot be fetched: the server gave no list of updates');
    const updates = given.filter(isNumbered);
    if (updates.length === given.length) worked();
    await parts.onUpdates(updates);
    // They cannot be told to be handled, and come again at once.
    if (updates.length < given.length)
      await failed(`${given.length - updates.length} of the updates that came have no number`);
  };

  return {
    run: async () => {
      while (!signal.aborted) {
        try {
          await once();
        } catch (error) {
          if (signal.aborted) return;
          log.error({ err: error }, 'handling updates failed; they are fetched again');
          await failed('updates cannot be handled: see the log');
        }
      }
    },
    trouble: () => trouble,
    sincePollMs: () => (polledAt === null ? null : performance.now() - polledAt),
  };
};
