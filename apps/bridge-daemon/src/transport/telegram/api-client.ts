/**
 * Calls of the Bot API through grammY, each with one of five ends (`CallOutcome`) and within its bounds.
 *
 * A1 Only what surely was not carried out is tried again here: a flood (429), and a server that was never reached.
 * A2 No text that leaves here holds the token: errors of the network may name the address, which does.
 * A3 A call ends within its bounds, or at once when its signal is aborted. It never rejects.
 */
import { autoRetry } from '@grammyjs/auto-retry';
import { Api, GrammyError, type Transformer } from 'grammy';
import type { Logger } from '../../log/operational-log.ts';
import type { Trouble } from '../../status.ts';
import { neverReached, rootCauses, wordsOf } from './network-error.ts';
import { pause } from './pause.ts';
import { plainFetch } from './plain-fetch.ts';
import type { CallOutcome } from './ports.ts';
import type { Redact } from './redact.ts';
import { telegramLimits } from './telegram-limits.ts';

/** What grammY's types call a signal; the one of the platform does as well. */
export type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>;

export interface CallBounds {
  /** Ends the call as `aborted`. */
  readonly signal: AbortSignal;
  /** For one request. Waiting for a flood to pass does not count. */
  readonly timeoutMs: number;
  /** How long floods may be waited out in all; a longer one is given as `refused` with 429. Default 0. */
  readonly floodMs?: number;
  /** How long a server that is not reached is tried again. Default 0: once. */
  readonly reachMs?: number;
  readonly journal?: CallJournal;
}

/** Keeps apart, through a kill, a request that may have been carried out and the waiting for the next one. */
export interface CallJournal {
  /** Before each request. Where it throws nothing is sent, and the call ends as `unknown`. */
  begin(): void;
  /** The last request surely was not carried out. Must not throw. */
  surelyNot(): void;
}

export interface TelegramClient {
  /**
   * Makes one call: `work` makes it by `api`, handing on `signal`, which carries the bounds. Never rejects. An exception
   * of `work` that is not the API's is `unknown`.
   */
  call<Value>(
    work: (api: Api, signal: ApiSignal) => Promise<Value>,
    bounds: CallBounds,
  ): Promise<CallOutcome<Value>>;
  /** A flood that has not passed yet, as far as calls have shown; null where there is none. */
  flood(): Trouble | null;
}

interface ClientOptions {
  readonly token: string;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  readonly redact: Redact;
  readonly log: Logger;
  readonly now?: () => number;
}

/** How a call stands, known to the transformers by its signal. */
interface Standing {
  readonly timeoutMs: number;
  readonly journal: CallJournal | null;
  floodLeftMs: number;
}

class RequestTimeout extends Error {}

const outcomeOf = (
  error: unknown,
  redact: Redact,
): Exclude<CallOutcome<never>, { code: 'ok' | 'aborted' }> => {
  if (error instanceof GrammyError) {
    const message = redact(error.description);
    const { error_code: status, parameters } = error;
    if (status >= 500) return { code: 'unknown', message: `${message} (${status})` };
    return { code: 'refused', status, message, movedTo: parameters.migrate_to_chat_id ?? null };
  }
  const roots = rootCauses(error);
  if (roots[0] instanceof RequestTimeout) return { code: 'unknown', message: roots[0].message };
  const message = redact(`Telegram was not reached: ${wordsOf(roots)}`);
  if (roots.every(neverReached)) return { code: 'unreachable', message };
  return { code: 'unknown', message: redact(`the connection to Telegram broke: ${wordsOf(roots)}`) };
};

export const createTelegramClient = (options: ClientOptions): TelegramClient => {
  const { token, apiRoot, redact, log, now = Date.now } = options;
  const standings = new WeakMap<object, Standing>();
  let flood: (Trouble & { readonly until: number }) | null = null;

  /** Each request has its own time; grammY's own clock would count the waiting between two. */
  const inTime: Transformer = async (prev, method, payload, signal) => {
    const { timeoutMs = telegramLimits.requestMs, journal } = (signal && standings.get(signal)) ?? {};
    journal?.begin();
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new RequestTimeout(`Telegram gave no answer within ${timeoutMs}ms`));
        abort();
      }, timeoutMs);
    });
    try {
      const made = prev(method, payload, controller.signal as ApiSignal); // Both kinds have what grammY uses of it.
      made.catch(() => undefined);
      return await Promise.race([made, late]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  };

  /** Sees every 429; one that would take longer than the call may wait is shown to the retrying as an end. */
  const noteFloods: Transformer = async (prev, method, payload, signal) => {
    const answer = await prev(method, payload, signal);
    if (answer.ok) {
      flood = null;
      return answer;
    }
    const told: unknown = answer.parameters?.retry_after;
    if (answer.error_code !== 429 || typeof told !== 'number') return answer;
    // Telegram names a second at least. What is less, by whoever stands in between, would be asked for without a pause.
    const seconds = Math.max(1, told);
    const standing = signal && standings.get(signal);
    standing?.journal?.surelyNot();
    const waitMs = seconds * 1_000;
    log.warn({ method, retry_after: seconds }, 'Telegram asks to send more slowly');
    flood = {
      reason: `Telegram asks to send more slowly: ${method} waits for ${seconds} s`,
      since: flood?.since ?? now(),
      until: Math.max(flood?.until ?? 0, now() + waitMs),
    };
    if (standing === undefined || waitMs > standing.floodLeftMs) return { ...answer, parameters: {} };
    standing.floodLeftMs -= waitMs;
    return { ...answer, parameters: { ...answer.parameters, retry_after: seconds } };
  };

  const api = new Api(token, {
    apiRoot,
    // Only a backstop: `inTime` is what ends a request.
    timeoutSeconds: 600,
    // It takes and gives the part of `fetch` that grammY uses.
    fetch: plainFetch,
  });
  api.config.use(
    inTime,
    noteFloods,
    autoRetry({ rethrowInternalServerErrors: true, rethrowHttpErrors: true }),
  );

  const once = async <Value>(
    work: (api: Api, signal: ApiSignal) => Promise<Value>,
    bounds: CallBounds,
    standing: Standing,
  ): Promise<CallOutcome<Value>> => {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (bounds.signal.aborted) return { code: 'aborted' };
    bounds.signal.addEventListener('abort', abort);
    standings.set(controller.signal, standing);
    try {
      return { code: 'ok', value: await work(api, controller.signal as ApiSignal) }; // As above.
    } catch (error) {
      return bounds.signal.aborted ? { code: 'aborted' } : outcomeOf(error, redact);
    } finally {
      bounds.signal.removeEventListener('abort', abort);
    }
  };

  return {
    call: async (work, bounds) => {
      const { signal, timeoutMs, floodMs = 0, reachMs = 0, journal = null } = bounds;
      const standing: Standing = { timeoutMs, journal, floodLeftMs: floodMs };
      const until = now() + reachMs;
      let pauseMs: number = telegramLimits.reachFirstMs;
      for (;;) {
        const outcome = await once(work, bounds, standing);
        if (outcome.code === 'unreachable') journal?.surelyNot();
        if (outcome.code !== 'unreachable' || now() + pauseMs > until) return outcome;
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, telegramLimits.reachPauseMs);
      }
    },
    flood: () => (flood !== null && now() < flood.until ? flood : null),
  };
};
