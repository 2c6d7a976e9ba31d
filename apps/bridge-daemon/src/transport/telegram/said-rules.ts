/**
 * What becomes of a text: the rules in their order, the first that holds decides (05 The daemon, source 004 Replies).
 * Pure. `why` says what would go wrong without the rule.
 *
 * R1 A text is an answer only where it names its question: by its beginning, by the message it replies to, or by a button
 *    pressed later. It is never guessed, not even with one question open.
 * R2 The first answer counts; until it is taken, an edit of its message is the same answer, said better.
 */
import { createHash } from 'node:crypto';
import type { Qid } from '@x/bridge';
import {
  answerText,
  goesOn,
  isSpot,
  joiningAfter,
  ofVoice,
  textDigest,
  withAnswer,
  withAnswerReplaced,
  withDraft,
  withHeard,
  withJoiningEnded,
  withMore,
  withPiece,
} from './answers-on-the-way.ts';
import type { Said, Spot } from './heard.ts';
import { afterPrefix, listedOf, repliedQuestion, told, type Scene } from './scene.ts';
import type { UpdatesState } from './updates-state.ts';

type SaidScene = Scene<Said>;

export interface SaidRule {
  readonly id: string;
  readonly why: string;
  /** The next state, or null where the rule does not hold. */
  readonly apply: (scene: SaidScene) => UpdatesState | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const voiceOf = ({ spot, speaker }: Pick<Said, 'spot' | 'speaker'>) => ({
  user: speaker.user,
  chat: spot.chat,
  topic: spot.topic,
});

const addressed = ({ heard, view }: SaidScene): { readonly qid: Qid; readonly answer: string } | null => {
  const prefixed = afterPrefix(heard.text);
  if (prefixed !== null) return prefixed;
  const qid = repliedQuestion(heard.spot.chat, heard.reply, view);
  return qid === null ? null : { qid, answer: heard.text };
};

/** Whatever this person wrote before here is complete. */
const aloud = (scene: SaidScene): SaidScene =>
  scene.heard.edit
    ? scene
    : { ...scene, state: withJoiningEnded(scene.state, ofVoice(voiceOf(scene.heard))) };

const noted = (scene: SaidScene, qid: Qid | null): SaidScene => ({
  ...scene,
  state: withHeard(scene.state, scene.heard.spot, { qid, text: scene.heard.text }),
});

const answered = (scene: SaidScene, qid: Qid, answer: string): UpdatesState => {
  const { heard, now } = scene;
  const next = noted(aloud(scene), qid);
  const added = withAnswer(next.state, {
    qid,
    by: heard.speaker.by,
    ...voiceOf(heard),
    via: 'message',
    at: iso(heard.at),
    pieces: [{ message: heard.spot.message, text: answer }],
    // Its other pieces, if it had any, were joined when it was new.
    joining: heard.edit ? null : joiningAfter(heard.text, heard.at, now),
    due: true,
    written: [],
  });
  return added ?? told(noted(aloud(scene), null), scene.view.texts.tooManyWaiting);
};

const draftToken = (spot: Spot, qid: Qid): string =>
  createHash('sha256')
    .update(JSON.stringify(['draft', spot.chat, spot.message, qid]))
    .digest('base64url')
    .slice(0, 16);

const offered = (scene: SaidScene): UpdatesState => {
  const { heard, view, now } = scene;
  const { spot, speaker, text, at } = heard;
  // The newest first: it is what the person most likely has in mind.
  const open = view.open().toReversed();
  const listed = listedOf(open, now);
  const buttons = listed.map(({ qid, question }, index) => ({
    qid,
    token: draftToken(spot, qid),
    text: view.texts.draftButton(index + 1, question),
  }));
  const next = noted(aloud(scene), null);
  const draft = {
    by: speaker.by,
    ...voiceOf(heard),
    pieces: [{ message: spot.message, text }],
    joining: joiningAfter(text, at, now),
    heard_at: now,
    buttons: buttons.map(({ token, qid }) => ({ token, qid })),
  };
  return told(
    { ...next, state: withDraft(next.state, draft) },
    view.texts.whichQuestion(listed, open.length - listed.length),
    buttons.map(({ text: label, token }) => ({ text: label, token })),
  );
};

const knownMessage = ({ state, heard }: SaidScene) => state.heard.find((entry) => isSpot(entry, heard.spot));

const holds = (
  item: { readonly chat: number; readonly pieces: readonly { readonly message: number }[] },
  spot: Spot,
): boolean => item.chat === spot.chat && item.pieces.some(({ message }) => message === spot.message);

const editAnswer = (scene: SaidScene): UpdatesState | null => {
  const { state, heard, view } = scene;
  const { spot, text, at, edit } = heard;
  const answer = state.answers.find((other) => other.via !== 'button' && holds(other, spot));
  if (!edit || answer === undefined) return null;
  const prefixed = answer.pieces[0]?.message === spot.message ? afterPrefix(text) : null;
  const elsewhere = prefixed !== null && prefixed.qid !== answer.qid;
  // Due, and yet perhaps taken: what was written may not be given to another question, nor said better once it is closed.
  if (answer.written.length > 0 && (elsewhere || view.standing(answer.qid) !== 'open'))
    return told(noted(scene, answer.qid), view.texts.alreadyTaken(answer.qid));
  if (elsewhere) return asNew({ ...scene, state: withAnswerReplaced(state, answer, null) });
  const said = prefixed?.answer ?? text;
  const next = withPiece(answer, spot.message, said);
  if (answerText(next).trim() === '')
    return told(noted(scene, answer.qid), view.texts.emptyAnswer(answer.qid));
  const changed = { ...next, at: iso(at), due: true };
  return noted({ ...scene, state: withAnswerReplaced(state, answer, changed) }, answer.qid).state;
};

const editDraft = (scene: SaidScene): UpdatesState | null => {
  const { state, heard } = scene;
  const draft = state.drafts.find((other) => holds(other, heard.spot));
  if (!heard.edit || draft === undefined) return null;
  const drafts = state.drafts.filter((other) => other !== draft);
  if (draft.pieces[0]?.message === heard.spot.message && afterPrefix(heard.text) !== null)
    return asNew({ ...scene, state: { ...state, drafts } });
  const next = withPiece(draft, heard.spot.message, heard.text);
  return noted(
    { ...scene, state: { ...state, drafts: state.drafts.map((other) => (other === draft ? next : other)) } },
    null,
  ).state;
};

const goOn = (scene: SaidScene): UpdatesState | null => {
  const { state, heard, now } = scene;
  if (heard.edit) return null;
  const piece = { message: heard.spot.message, text: heard.text, at: heard.at };
  const voice = voiceOf(heard);
  const answer = state.answers.findLast((other) => other.due && goesOn(other, voice, heard.at));
  if (answer !== undefined)
    return noted(
      { ...scene, state: withAnswerReplaced(state, answer, withMore(answer, piece, now)) },
      answer.qid,
    ).state;
  const draft = state.drafts.findLast((other) => goesOn(other, voice, heard.at));
  if (draft === undefined) return null;
  const next = withMore(draft, piece, now);
  return noted(
    { ...scene, state: { ...state, drafts: state.drafts.map((other) => (other === draft ? next : other)) } },
    null,
  ).state;
};

const editRules: readonly SaidRule[] = [
  {
    id: 'seen',
    why: 'the server hands out an update again long after; its answer was given',
    apply: (scene) => (!scene.heard.edit && knownMessage(scene) !== undefined ? scene.state : null),
  },
  {
    id: 'same_text',
    why: 'a link preview or a reaction counts as an edit and says nothing new',
    apply: (scene) =>
      scene.heard.edit && knownMessage(scene)?.digest === textDigest(scene.heard.text) ? scene.state : null,
  },
  {
    id: 'edited_answer',
    why: 'the agent would get words that the person took back in time',
    apply: editAnswer,
  },
  {
    id: 'edited_draft',
    why: 'the button would give the words before the edit',
    apply: editDraft,
  },
  {
    id: 'edited_too_late',
    why: 'the person would believe that the edit counts',
    apply: (scene) => {
      const known = knownMessage(scene);
      if (!scene.heard.edit || known === undefined || known.qid === null) return null;
      return told(noted(scene, known.qid), scene.view.texts.alreadyTaken(known.qid));
    },
  },
];

const newRules: readonly SaidRule[] = [
  {
    id: 'empty_after_prefix',
    why: 'an answer of nothing would close the question',
    apply: (scene) => {
      const to = addressed(scene);
      if (to === null || to.answer.trim() !== '') return null;
      return told(noted(aloud(scene), null), scene.view.texts.emptyAnswer(to.qid));
    },
  },
  {
    id: 'unknown_question',
    why: 'a mistyped code would be swallowed without a word',
    apply: (scene) => {
      const to = addressed(scene);
      if (to === null || scene.view.standing(to.qid) !== 'unknown') return null;
      return told(noted(aloud(scene), null), scene.view.texts.unknownQuestion(to.qid));
    },
  },
  {
    id: 'answer',
    why: 'this is what it is all for; a closed question gets it too, and the bridge says that it came late',
    apply: (scene) => {
      const to = addressed(scene);
      return to === null ? null : answered(scene, to.qid, to.answer);
    },
  },
  {
    id: 'goes_on',
    why: 'Telegram cuts a long text into messages of which only the first is a reply',
    apply: goOn,
  },
  {
    id: 'elsewhere',
    why: 'talk in another topic of the group is not meant for the bot',
    apply: (scene) => (scene.heard.spot.topic === scene.view.topic ? null : aloud(scene).state),
  },
  {
    id: 'nothing_open',
    why: 'the person would wait for an effect',
    apply: (scene) =>
      scene.view.open().length === 0 ? told(noted(aloud(scene), null), scene.view.texts.nothingOpen) : null,
  },
  {
    id: 'which_question',
    why: 'a guess would answer the wrong question',
    apply: offered,
  },
];

export const saidRules: readonly SaidRule[] = [...editRules, ...newRules];

const firstOf = (rules: readonly SaidRule[], scene: SaidScene): UpdatesState => {
  for (const rule of rules) {
    const next = rule.apply(scene);
    if (next !== null) return next;
  }
  return scene.state;
};

/** An edit that makes something else of its message. */
const asNew = (scene: SaidScene): UpdatesState => firstOf(newRules, scene);

export const decideSaid = (scene: SaidScene): UpdatesState => firstOf(saidRules, scene);
