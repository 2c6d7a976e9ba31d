/**
 * One update from hearing to effect, in an order that a kill cannot harm: decided, stored with its place in the count, then
 * done. Who calls tells the server only afterwards that it was handled.
 */
import { english } from '@x/bridge';
import { Api, Context } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { join } from 'node:path';
import type { Logger } from '../../log/operational-log.ts';
import { createFile } from '../../store/durable-write.ts';
import { decide, type Decision } from './decide.ts';
import { hear, type Heard, type Listening } from './heard.ts';
import { pause } from './pause.ts';
import type { QuestionBook } from './ports.ts';
import type { DeskView } from './scene.ts';
import { Stopped, type StateKeeper } from './state-keeper.ts';
import { isRepeated, withHandled } from './updates-state.ts';
import { wayInLimits } from './way-in-limits.ts';

export interface UpdateHandler {
  /**
   * Settles when the update and its effects are stored. `repeated`: it was handled before, and nothing was done. Rejects
   * with `Stopped` alone: the update then comes again.
   */
  handle(update: Update, me: UserFromGetMe): Promise<'handled' | 'repeated' | 'set_aside'>;
}

interface HandlerParts {
  readonly keeper: StateKeeper;
  readonly book: Pick<QuestionBook, 'moved' | 'met'>;
  readonly view: DeskView;
  readonly listening: Listening;
  readonly refusedDir: string;
  readonly preparedDir: string;
  readonly toast: (callback: string, text: string) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

interface Settled extends Decision {
  readonly heard: Heard;
  /** Whether more than the count of updates has changed. */
  readonly changed: boolean;
}

/** A context that nobody calls by: whatever is said to people stands in the state first. */
const silentApi = new Api('none');

/** Ids only: what people say is nobody's business but the asker's. */
const logHeard = (heard: Heard, log: Logger): void => {
  if (heard.kind === 'ignored') {
    const { why, chat, user } = heard;
    if (why === 'nothing') log.debug({ chat, user }, 'an update that says nothing');
    else log.warn({ why, chat, user }, 'somebody who is not on the list was not heard');
  } else if (heard.kind === 'membership')
    log.warn({ chat: heard.chat, status: heard.status }, 'the standing of the bot in a chat has changed');
  else if (heard.kind === 'moved')
    log.info({ from: heard.from, to: heard.to }, 'the group has become a supergroup and is followed');
};

export const createUpdateHandler = (parts: HandlerParts): UpdateHandler => {
  const { keeper, book, view, listening, log, signal, now } = parts;

  /** A copy of a question of which nobody knew whether it was sent shows itself by what is done with it. */
  const meetCopy = (heard: Heard, update: Update): void => {
    if (heard.kind === 'pressed') {
      const option = view.optionOf(heard.token);
      const { chat, message: messageId } = heard.spot;
      if (option !== null) book.met(option.qid, { chat, messageId }, true);
    } else if ((heard.kind === 'said' || heard.kind === 'command') && heard.reply !== null) {
      const { message: messageId, qid } = heard.reply;
      // What is said about a question names it too; only the question itself begins so.
      const text = update.message?.reply_to_message?.text ?? '';
      if (qid !== null && text.startsWith(english.header(qid)))
        book.met(qid, { chat: heard.spot.chat, messageId }, false);
    }
  };

  const heardIn = async (update: Update, me: UserFromGetMe): Promise<Heard> => {
    const heard = hear(new Context(update, silentApi, me), listening);
    if (heard.kind === 'moved')
      await keeper.surely('storing the new chat of a group', () => book.moved(heard.from, heard.to));
    meetCopy(heard, update);
    return heard;
  };

  /** In one go, so that nothing that changes meanwhile is lost. Gives whether more than the count has changed. */
  const settle = (heard: Heard, updateId: number): Settled => {
    const before = keeper.state();
    const at = now();
    const decision = decide(before, heard, view, at);
    keeper.change(() => withHandled(decision.state, updateId, at));
    return { ...decision, heard, changed: decision.state !== before };
  };

  /** What was decided, or null where the update had to be set aside. */
  const tried = async (update: Update, me: UserFromGetMe): Promise<Settled | null> => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return settle(await heardIn(update, me), update.update_id);
      } catch (error) {
        if (error instanceof Stopped) throw error;
        if (attempts >= wayInLimits.handleAttempts) {
          await setAside(update, error);
          return null;
        }
        await pause(wayInLimits.handleRetryMs * attempts, signal);
      }
    }
  };

  const setAside = async (update: Update, error: unknown): Promise<void> => {
    const { update_id: id } = update;
    const path = join(parts.refusedDir, `${id}.json`);
    log.error({ err: error, update: id, path }, 'an update could not be handled and was set aside');
    await keeper.surely('setting an update aside', () =>
      createFile(path, `${JSON.stringify(update)}\n`, parts.preparedDir),
    );
    keeper.change((state) => withHandled(state, id, now()));
  };

  return {
    handle: async (update, me) => {
      if (isRepeated(keeper.state(), update.update_id, now())) {
        log.debug({ update: update.update_id }, 'an update came again');
        return 'repeated';
      }
      const settled = await tried(update, me);
      if (settled === null) return 'set_aside';
      const { heard, toast, changed } = settled;
      logHeard(heard, log);
      if (changed) await keeper.save();
      if (toast !== null) parts.toast(toast.callback, toast.text);
      return 'handled';
    },
  };
};
