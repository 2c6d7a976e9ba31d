/** getUpdates: waits for what happens. One poll a token; the later one ends the earlier one with 409. */
import { accept, integerOf, refuse, type Answer, type CallParameters } from './answer.ts';
import { unknownParameter, unknownWords } from './methods.ts';
import type { BotAccount } from './place.ts';

const pollSecondsMax = 50;
const limitMax = 100;

export interface Polls {
  /** Polls that wait now. */
  readonly waiting: number;
  /** Settles with the answer; `gone` tells that nobody waits for it any more. */
  wait(bot: BotAccount, given: CallParameters, gone: (listener: () => void) => void): Promise<Answer | null>;
}

export function createPolls(): Polls {
  const waiting = new Map<BotAccount, (answer: Answer | null) => void>();
  return {
    get waiting() {
      return waiting.size;
    },
    wait: (bot, given, gone) => {
      const unknown = unknownParameter('offset limit timeout allowed_updates', given);
      if (unknown !== null) return Promise.resolve(refuse(400, unknownWords(unknown, 'getUpdates')));
      if (bot.webhook !== '')
        return Promise.resolve(
          refuse(
            409,
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
          ),
        );
      waiting.get(bot)?.(
        refuse(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        ),
      );
      const kinds = given['allowed_updates'];
      // Left out, the kinds named last go on to hold.
      if (Array.isArray(kinds)) bot.queue.allow(kinds.length === 0 ? null : kinds.map(String));
      const limit = Math.min(limitMax, Math.max(1, integerOf(given['limit']) ?? limitMax));
      const seconds = Math.min(pollSecondsMax, Math.max(0, integerOf(given['timeout']) ?? 0));
      const ready = bot.queue.take(integerOf(given['offset']) ?? 0, limit);
      if (ready.length > 0 || seconds === 0) return Promise.resolve(accept(ready));
      return new Promise((resolve) => {
        const finish = (answer: Answer | null): void => {
          clearTimeout(timer);
          silence();
          if (waiting.get(bot) === finish) waiting.delete(bot);
          resolve(answer);
        };
        const timer = setTimeout(() => finish(accept([])), seconds * 1_000);
        const silence = bot.queue.onUpdate(() => finish(accept(bot.queue.take(0, limit))));
        waiting.set(bot, finish);
        gone(() => finish(null));
      });
    },
  };
}
