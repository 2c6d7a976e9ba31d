/**
 * What is done about what was heard: state and fact in, state and what is to be shown at once out. Pure; all that must not
 * be lost stands in the state. One rule a kind of thing heard; those of texts are a table of their own.
 */
import { parseQid, type Qid } from '@x/bridge';
import { ofVoice, withAnswer, withHeard, withJoiningEnded, withoutTaken } from './answers-on-the-way.ts';
import type { Command, CommandName, Heard, Pressed, Wordless } from './heard.ts';
import { decideSaid } from './said-rules.ts';
import { listedOf, repliedQuestion, told, type DeskView, type Scene } from './scene.ts';
import type { AnswerOnTheWay, Draft, OwedText, UpdatesState } from './updates-state.ts';
import { wayInLimits } from './way-in-limits.ts';

export interface Decision {
  readonly state: UpdatesState;
  /** Shown over the chat after a press; it need not survive anything. */
  readonly toast: { readonly callback: string; readonly text: string } | null;
}

const quietly = (state: UpdatesState): Decision => ({ state, toast: null });

/** `01ABC…`, `HUB-Q:01ABC…`, `[HUB-Q:01ABC…]`, in any letter case. */
const codeIn = (text: string): Qid | null =>
  parseQid(/^\[?(?:HUB-Q\s*:\s*)?([0-9A-Z]{26})\]?:?$/i.exec(text.trim())?.[1]?.toUpperCase() ?? '');

const commands: Readonly<Record<CommandName, (scene: Scene<Command>) => UpdatesState>> = {
  pending: (scene) => {
    const open = scene.view.open();
    // The oldest first: it is the next one to run out of time.
    const listed = listedOf(open, scene.now);
    return told(scene, scene.view.texts.pending(listed, open.length - listed.length));
  },
  cancel: (scene) => {
    const { heard, view, state } = scene;
    const qid = heard.rest === '' ? repliedQuestion(heard.spot.chat, heard.reply, view) : codeIn(heard.rest);
    if (qid === null) return told(scene, view.texts.cancelHow);
    if (view.standing(qid) === 'unknown') return told(scene, view.texts.unknownQuestion(qid));
    const owed = { qid, by: heard.speaker.by, ...heard.spot };
    // An answer that was given before comes first: it need not wait for its continuation any more.
    const complete = withJoiningEnded(state, (item) => 'qid' in item && item.qid === qid);
    return { ...complete, cancels: [...state.cancels, owed].slice(-wayInLimits.cancels) };
  },
  help: (scene) => told(scene, scene.view.texts.help),
  start: (scene) => told(scene, scene.view.texts.help),
};

const onCommand = (scene: Scene<Command>): Decision => {
  const { spot, speaker, name } = scene.heard;
  const voice = { user: speaker.user, chat: spot.chat, topic: spot.topic };
  return quietly(commands[name]({ ...scene, state: withJoiningEnded(scene.state, ofVoice(voice)) }));
};

const onWordless = (scene: Scene<Wordless>): Decision => {
  const { heard, view } = scene;
  const { spot, speaker, album, reply } = heard;
  const voice = { user: speaker.user, chat: spot.chat, topic: spot.topic };
  const state = withJoiningEnded(scene.state, ofVoice(voice));
  const meant = spot.topic === view.topic || repliedQuestion(spot.chat, reply, view) !== null;
  if (!meant || (album !== null && state.albums.includes(album))) return quietly(state);
  const albums = album === null ? state.albums : [...state.albums, album].slice(-wayInLimits.albums);
  return quietly(told({ ...scene, state: { ...state, albums } }, view.texts.textOnly));
};

type PressScene = Scene<Pressed>;

const shown = (scene: PressScene, text: string, state: UpdatesState = scene.state): Decision => ({
  state,
  toast: { callback: scene.heard.callback, text },
});

const answerOf = (
  { heard, now }: PressScene,
  qid: Qid,
  rest: Pick<AnswerOnTheWay, 'via' | 'pieces'>,
): AnswerOnTheWay => ({
  qid,
  by: heard.speaker.by,
  user: heard.speaker.user,
  chat: heard.spot.chat,
  topic: heard.spot.topic,
  // Telegram does not say when a button was pressed. It stands in the state before the answer is written: the same bytes
  // come of it as often as it is written.
  at: new Date(now).toISOString(),
  joining: null,
  due: true,
  written: [],
  ...rest,
});

const pressDraft = (scene: PressScene, draft: Draft, qid: Qid): Decision => {
  const { state, heard, view, now } = scene;
  const { texts } = view;
  if (draft.user !== heard.speaker.user) return shown(scene, texts.pressedByOther);
  if (view.standing(qid) !== 'open') return shown(scene, texts.pressedClosed);
  const given = withAnswer(state, answerOf(scene, qid, { via: 'draft', pieces: draft.pieces }));
  if (given === null) return shown(scene, texts.tooManyWaiting);
  const question = view.open().find((open) => open.qid === qid)?.question.question ?? null;
  const list: OwedText = { do: 'edit', ...heard.spot, text: texts.draftTaken(question, qid), since: now };
  const noted = draft.pieces.reduce(
    (all, { message, text }) => withHeard(all, { chat: draft.chat, message }, { qid, text }),
    given,
  );
  return shown(scene, texts.pressed(question ?? qid), {
    ...noted,
    drafts: noted.drafts.filter((other) => other !== draft),
    texts: [...noted.texts, list].slice(-wayInLimits.texts),
  });
};

const pressOption = (scene: PressScene, qid: Qid, index: number): Decision => {
  const { state, heard, view } = scene;
  const { texts } = view;
  if (view.standing(qid) === 'unknown') return shown(scene, texts.pressedUnknown);
  const press = { qid, user: heard.speaker.user, text: String(index + 1) };
  // A finger that taps twice says it once.
  const known = state.presses.some(
    (other) => other.qid === qid && other.user === press.user && other.text === press.text,
  );
  if (known) return shown(scene, texts.pressedBefore);
  const pieces = [{ message: heard.spot.message, text: press.text }];
  const given = withAnswer(state, answerOf(scene, qid, { via: 'button', pieces }));
  if (given === null) return shown(scene, texts.tooManyWaiting);
  const title = view.open().find((open) => open.qid === qid)?.question.options[index]?.title;
  return shown(scene, texts.pressed(title ?? press.text), {
    ...given,
    presses: [...given.presses, press].slice(-wayInLimits.presses),
  });
};

const onPressed = (scene: PressScene): Decision => {
  const { state, heard, view } = scene;
  for (const draft of state.drafts) {
    const button = draft.buttons.find(({ token }) => token === heard.token);
    if (button !== undefined) return pressDraft(scene, draft, button.qid);
  }
  const option = view.optionOf(heard.token);
  return option === null
    ? shown(scene, view.texts.pressedUnknown)
    : pressOption(scene, option.qid, option.index);
};

/**
 * Takes the state, what was heard, the facts of the moment and the time in milliseconds since 1970; gives the next state
 * and what is to be shown. Never throws.
 */
export const decide = (given: UpdatesState, heard: Heard, view: DeskView, now: number): Decision => {
  const drafts = given.drafts.filter(({ heard_at }) => now - heard_at < wayInLimits.draftMs);
  const fresh = drafts.length === given.drafts.length ? given : { ...given, drafts };
  const state = withoutTaken(fresh, (qid) => view.standing(qid));
  switch (heard.kind) {
    case 'said':
      return quietly(decideSaid({ state, heard, view, now }));
    case 'command':
      return onCommand({ state, heard, view, now });
    case 'wordless':
      return onWordless({ state, heard, view, now });
    case 'pressed':
      return onPressed({ state, heard, view, now });
    case 'moved':
    case 'membership':
    case 'ignored':
      return quietly(state);
    default:
      return heard satisfies never;
  }
};
