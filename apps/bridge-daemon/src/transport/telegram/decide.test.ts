// The bugs: an answer guessed, given to the wrong question, given twice or lost; words that the person took back in time;
// a long reply that answers with its first third.
import { expect, test } from 'vitest';
import type { Said as Words } from '../../../../../tooling/src/bot-api/said.ts';
import type { Press } from '../../../../../tooling/src/bot-api/world.ts';
import { answerText, writableAnswers } from './answers-on-the-way.ts';
import { decide } from './decide.ts';
import { english } from './person-texts.ts';
import { saidRules } from './said-rules.ts';
import type { DeskView } from './scene.ts';
import { emptyState, type UpdatesState } from './updates-state.ts';
import {
  ann,
  bo,
  chat,
  heardIn,
  listeningTo,
  nobodys,
  nowMs,
  openQuestion,
  q1,
  q2,
  questionOf,
  quietWorld,
  takeUpdates,
  viewOf,
} from './way-in.fixture.ts';

/** One conversation: what is said goes through hearing and deciding, the state goes from one to the next. */
const talk = (facts: Partial<DeskView> = {}, to = chat) => {
  let now = nowMs;
  let state: UpdatesState = emptyState;
  let toast: string | null = null;
  const view = viewOf(facts);
  const world = quietWorld(() => now);
  const found = world.chat(to);
  if (found === undefined) throw new Error('no chat');
  const post = (text: string): number => world.post({ chat: found, from: world.bot, text }).message_id;
  const listening = listeningTo(to);
  const take = (): void => {
    for (const update of takeUpdates(world)) {
      const decision = decide(state, heardIn(update, listening), view, now);
      ({ state } = decision);
      toast = decision.toast?.text ?? null;
    }
  };
  return {
    post,
    say: (text: string, said: Partial<Words> = {}): number => {
      const { message_id } = world.say({ chat: to, from: ann, text, ...said });
      take();
      return message_id;
    },
    send: (said: Partial<Words>): void => {
      world.say({ chat: to, from: ann, ...said });
      take();
    },
    edit: (message: number, text: string): void => {
      world.edit(to, message, text);
      take();
    },
    press: (press: Omit<Press, 'chat' | 'from'> & Partial<Press>): void => {
      world.press({ chat: to, from: ann, ...press });
      take();
    },
    later: (ms: number): void => {
      now += ms;
    },
    /** As `owed-work.ts` does when an answer lies in its place and its question is still open. */
    written: (): void => {
      state = {
        ...state,
        answers: state.answers.map((answer) => ({ ...answer, due: false, joining: null, written: ['d'] })),
      };
    },
    state: () => state,
    toast: () => toast,
    answers: () => state.answers.map((answer) => `${answer.qid === q1 ? 'q1' : 'q2'}: ${answerText(answer)}`),
    texts: () => state.texts.map(({ text }) => text),
    ready: () => writableAnswers(state, now, 0).ready.map(answerText),
  };
};
/** A talk in which a message of ours carries q1. */
const askedTalk = (facts: Partial<DeskView> = {}) => {
  const conversation = talk({ qidOf: (_, message) => (message === 1 ? q1 : null), ...facts });
  conversation.post('❓ the question');
  return conversation;
};

test('a reply to the message of a question answers it, whatever is written [DAEM-07]', () => {
  const { say, answers, texts, state } = askedTalk();
  say('neither, wait until Monday', { reply_to: 1 });
  expect(answers()).toEqual(['q1: neither, wait until Monday']);
  expect(texts()).toEqual([]);
  expect(state().answers[0]).toMatchObject({
    by: 'telegram:ann',
    at: new Date(nowMs).toISOString(),
    due: true,
    joining: null,
  });
});

test('a reply to a message that the book does not know counts by the code in it [DAEM-07]', () => {
  const { post, say, answers } = talk({ qidOf: () => null });
  const message = post(`❓ [HUB-Q:${q2}] Go?`);
  say('yes', { reply_to: message });
  expect(answers()).toEqual(['q2: yes']);
});

test('where message ids coincide it is the book that knows which chat they are of', () => {
  const { post, say, answers } = talk({ qidOf: (id, message) => (id === chat && message === 1 ? q2 : null) });
  post(`❓ the second question`);
  say('1', { reply_to: 1 });
  expect(answers()).toEqual(['q2: 1']);
});

test.each([
  [`HUB-Q:${q2}: yes`, 'q2: yes'],
  [`  hub-q : ${q2} :yes`, 'q2: yes'],
  [`Hub-Q:${q2.toLowerCase()}:\n yes: and no`, 'q2: yes: and no'],
])('%j answers the question it begins with, without the code [DAEM-07]', (text, expected) => {
  const { say, answers } = talk();
  say(text);
  expect(answers()).toEqual([expected]);
});

test('the code at the beginning wins over the message replied to [DAEM-07]', () => {
  const { say, answers } = askedTalk();
  say(`HUB-Q:${q2}: yes`, { reply_to: 1 });
  expect(answers()).toEqual(['q2: yes']);
});

test('nothing after the code is no answer, and the person is told', () => {
  const { say, answers, texts } = talk();
  say(`HUB-Q:${q1}:`);
  expect(answers()).toEqual([]);
  expect(texts()).toEqual([english.emptyAnswer(q1)]);
});

test('a code that nobody asked is told, and answers nothing', () => {
  const { say, answers, texts } = talk();
  say(`HUB-Q:${nobodys}: yes`);
  expect(answers()).toEqual([]);
  expect(texts()).toEqual([english.unknownQuestion(nobodys)]);
});

test('an answer to a closed question is written all the same: the bridge says that it is late', () => {
  const { say, answers, texts } = askedTalk({ standing: () => 'closed' });
  say('yes', { reply_to: 1 });
  expect(answers()).toEqual(['q1: yes']);
  expect(texts()).toEqual([]);
});

test.each([
  ['two open questions', [openQuestion(q1), openQuestion(q2)]],
  ['one open question', [openQuestion(q1)]],
])(
  'a bare "1" with %s answers nothing and is answered with the list and how to answer [DAEM-07]',
  (_, open) => {
    const { say, answers, texts, state } = talk({ open: () => open });
    say('1');
    expect(answers()).toEqual([]);
    expect(texts()).toHaveLength(1);
    for (const { qid } of open) expect(texts()[0]).toContain(`HUB-Q:${qid}:`);
    expect(texts()[0]).toContain('reply to the message of the question');
    expect(state().texts[0]).toMatchObject({ do: 'reply', chat, message: 1 });
    expect(state().drafts[0]?.buttons.map(({ qid }) => qid)).toEqual(open.map(({ qid }) => qid).toReversed());
  },
);

test('a bare text with no open question is told so, and kept for nothing', () => {
  const { say, texts, state } = talk({ open: () => [] });
  say('1');
  expect(texts()).toEqual([english.nothingOpen]);
  expect(state().drafts).toEqual([]);
});

test('a reply to a list of ours is a bare text: what is only mentioned in it is not answered', () => {
  const { say, post, answers, state } = talk({ qidOf: () => null });
  const list = post(english.pending([{ qid: q1, question: `[HUB-Q:${q1}] Go?`, minutesLeft: 3 }], 0));
  say('yes', { reply_to: list });
  expect(answers()).toEqual([]);
  expect(state().drafts).toHaveLength(1);
});

test('the button under the list gives what was written before to its question, once [DAEM-07]', () => {
  const { say, press, post, state, answers, later, toast } = talk();
  say('wait for Ann');
  const list = post('the list');
  const token = state().drafts[0]?.buttons.find(({ qid }) => qid === q1)?.token ?? '';
  later(60_000);
  press({ message: list, data: token });
  expect(answers()).toEqual(['q1: wait for Ann']);
  expect(state().answers[0]).toMatchObject({ at: new Date(nowMs + 60_000).toISOString(), via: 'draft' });
  expect(state().drafts).toEqual([]);
  expect(state().texts.at(-1)).toMatchObject({
    do: 'edit',
    message: list,
    text: english.draftTaken('Deploy?', q1),
  });
  press({ message: list, data: token });
  expect(answers()).toHaveLength(1);
  expect(toast()).toBe(english.pressedUnknown);
});

test('somebody else cannot give away what a person wrote', () => {
  const { say, press, post, state, answers, toast } = talk();
  say('wait');
  const list = post('the list');
  press({ message: list, data: state().drafts[0]?.buttons[0]?.token ?? '', from: bo });
  expect(answers()).toEqual([]);
  expect(state().drafts).toHaveLength(1);
  expect(toast()).toBe(english.pressedByOther);
});

test('what was written stays when the question that is pressed has just closed', () => {
  let closed = false;
  const { say, press, post, state, answers, toast } = talk({ standing: () => (closed ? 'closed' : 'open') });
  say('wait');
  const list = post('the list');
  closed = true;
  press({ message: list, data: state().drafts[0]?.buttons[0]?.token ?? '' });
  expect(answers()).toEqual([]);
  expect(state().drafts).toHaveLength(1);
  expect(toast()).toBe(english.pressedClosed);
});

test('an edit of a bare text changes what the button gives', () => {
  const { say, edit, press, post, state, answers } = talk();
  const message = say('wiat');
  const list = post('the list');
  edit(message, 'wait');
  expect(state().texts).toHaveLength(1);
  press({ message: list, data: state().drafts[0]?.buttons.find(({ qid }) => qid === q2)?.token ?? '' });
  expect(answers()).toEqual(['q2: wait']);
});

test('a bare text that gets a code by an edit is an answer, and its button gives nothing more', () => {
  const { say, edit, press, post, state, answers } = talk();
  const message = say('yes');
  const token = state().drafts[0]?.buttons[0]?.token ?? '';
  const list = post('the list');
  edit(message, `HUB-Q:${q1}: yes`);
  expect(answers()).toEqual(['q1: yes']);
  press({ message: list, data: token });
  expect(answers()).toEqual(['q1: yes']);
});

test('a bare text waits a day for its button, and 200 of them at most', () => {
  const { say, press, post, state, later, answers, toast } = talk();
  for (let count = 0; count < 201; count += 1) say(`text ${count}`);
  expect(state().drafts).toHaveLength(200);
  const list = post('the list');
  const token = state().drafts[0]?.buttons[0]?.token ?? '';
  later(86_400_000);
  press({ message: list, data: token });
  expect(answers()).toEqual([]);
  expect(toast()).toBe(english.pressedUnknown);
});

test('a list of many questions is cut to 20 buttons and says how many more there are', () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    openQuestion(q1, questionOf(`${index} ${'x'.repeat(500)}`)),
  );
  const { say, state, texts } = talk({ open: () => many });
  say('1');
  expect(state().drafts[0]?.buttons).toHaveLength(20);
  expect(texts()[0]).toContain('and 10 more');
  // The newest is offered first.
  expect(texts()[0]).toContain('1. 29 ');
  expect(texts()[0]?.length).toBeLessThanOrEqual(4_096);
});

const option = (qid = q1, index = 1): Partial<DeskView> => ({
  optionOf: (token) => (token === 'option' ? { qid, index } : null),
});

test('a button of a question answers it with the number of its option [DAEM-07]', () => {
  const { press, answers, state, toast, later } = askedTalk(option());
  later(5_000);
  press({ message: 1, data: 'option' });
  expect(answers()).toEqual(['q1: 2']);
  expect(state().answers[0]).toMatchObject({ by: 'telegram:ann', at: new Date(nowMs + 5_000).toISOString() });
  expect(toast()).toBe(english.pressed('No'));
});

test('a button tapped twice says it once; another option is another answer', () => {
  let index = 1;
  const { press, answers, toast, later } = askedTalk({ optionOf: () => ({ qid: q1, index }) });
  press({ message: 1, data: 'option' });
  later(1_000);
  press({ message: 1, data: 'option' });
  expect(answers()).toEqual(['q1: 2']);
  expect(toast()).toBe(english.pressedBefore);
  index = 0;
  press({ message: 1, data: 'option' });
  expect(answers()).toEqual(['q1: 2', 'q1: 1']);
});

test('a button that nobody made, or of a question that is forgotten, does nothing and says so', () => {
  const { press, answers, toast } = askedTalk(option(nobodys));
  press({ message: 1, data: 'other' });
  expect(toast()).toBe(english.pressedUnknown);
  press({ message: 1, data: 'option' });
  expect(toast()).toBe(english.pressedUnknown);
  expect(answers()).toEqual([]);
});

const long = 'a'.repeat(4_000);

test('a short reply is written at once', () => {
  const { say, ready } = askedTalk();
  say('a'.repeat(3_999), { reply_to: 1 });
  expect(ready()).toHaveLength(1);
});

test('a reply of 4,000 units waits two seconds for what may follow', () => {
  const { say, ready, later } = askedTalk();
  say(long, { reply_to: 1 });
  later(1_999);
  expect(ready()).toEqual([]);
  later(1);
  expect(ready()).toEqual([long]);
});

test('one long reply that arrives in three messages is one answer, joined with nothing between', () => {
  const { say, answers, texts, ready, later, state } = askedTalk();
  say(long, { reply_to: 1 });
  later(1_000);
  say(long.replaceAll('a', 'b'));
  later(1_900);
  expect(ready()).toEqual([]);
  say('c');
  later(2_000);
  expect(ready()).toEqual([`${long}${'b'.repeat(4_000)}c`]);
  expect(answers()).toHaveLength(1);
  expect(texts()).toEqual([]);
  expect(state().answers[0]?.at).toBe(new Date(nowMs).toISOString());
});

test('a code at the beginning of a long text is cut off, and the rest joins', () => {
  const { say, ready, later } = talk();
  say(`HUB-Q:${q1}: ${long}`);
  say('b');
  later(2_000);
  expect(ready()).toEqual([`${long}b`]);
});

test.each([
  ['of somebody else', { from: bo }, 0],
  ['written three seconds later, though it arrives at once', {}, 3_000],
])('a text %s does not join', (_, said, ms) => {
  const { say, answers, later, state } = askedTalk();
  say(long, { reply_to: 1 });
  later(ms);
  say('b', said);
  expect(answers()).toEqual([`q1: ${long}`]);
  expect(state().drafts).toHaveLength(1);
});

test('a text with a question of its own does not join, and ends the waiting', () => {
  const { say, answers, ready } = askedTalk();
  say(long, { reply_to: 1 });
  say(`HUB-Q:${q2}: no`);
  expect(answers()).toEqual([`q1: ${long}`, 'q2: no']);
  expect(ready()).toEqual([long, 'no']);
  say('bare');
  expect(answers()).toHaveLength(2);
});

test('a second answer does not overtake the long one that waits for its end', () => {
  const { say, ready, later } = askedTalk();
  say(long, { reply_to: 1 });
  say('short', { reply_to: 1, from: bo });
  expect(ready()).toEqual([]);
  later(2_000);
  expect(ready()).toEqual([long]);
});

test('an edit of one piece of a long reply changes that piece', () => {
  const { say, edit, ready, later } = askedTalk();
  const first = say(long, { reply_to: 1 });
  const second = say('tial');
  edit(second, 'tail');
  edit(first, `${long}!`);
  later(2_000);
  expect(ready()).toEqual([`${long}!tail`]);
});

test('a bare long text in pieces is one draft and one list', () => {
  const { say, state, texts, press, post, answers } = talk();
  say(long);
  say('b');
  expect(state().drafts).toHaveLength(1);
  expect(texts()).toHaveLength(1);
  const list = post('the list');
  press({ message: list, data: state().drafts[0]?.buttons.find(({ qid }) => qid === q1)?.token ?? '' });
  expect(answers()).toEqual([`q1: ${long}b`]);
});

test('an answer of endless pieces ends at 60', () => {
  const { say, state } = askedTalk();
  say(long, { reply_to: 1 });
  for (let count = 0; count < 60; count += 1) say(long);
  expect(state().answers[0]?.pieces).toHaveLength(60);
});

test('an answer waits no longer because the clock was set back', () => {
  const { say, ready, later } = askedTalk();
  say(long, { reply_to: 1 });
  later(-3_600_000);
  expect(ready()).toEqual([long]);
});

test('an edit before the answer was taken replaces it, with the time of the edit', () => {
  const { say, edit, answers, written, later, state, texts } = askedTalk();
  const message = say('yes', { reply_to: 1 });
  written();
  later(10_000);
  edit(message, 'no');
  expect(answers()).toEqual(['q1: no']);
  expect(state().answers[0]).toMatchObject({
    due: true,
    written: ['d'],
    at: new Date(nowMs + 10_000).toISOString(),
  });
  expect(texts()).toEqual([]);
});

test('an edit afterwards changes nothing, and is told once for each new text', () => {
  let standing: 'open' | 'closed' = 'open';
  const { say, edit, answers, texts, written } = askedTalk({ standing: () => standing });
  const message = say('yes', { reply_to: 1 });
  written();
  standing = 'closed';
  edit(message, 'no');
  edit(message, 'no');
  expect(answers()).toEqual([]);
  expect(texts()).toEqual([english.alreadyTaken(q1)]);
  edit(message, 'perhaps');
  expect(texts()).toHaveLength(2);
});

test('an edit that changes no letter, as when a link preview appears, says nothing', () => {
  const { say, edit, answers, texts, written, state } = askedTalk();
  const message = say('see https://example.org', { reply_to: 1 });
  written();
  edit(message, 'see https://example.org');
  expect(answers()).toHaveLength(1);
  expect(state().answers[0]?.due).toBe(false);
  expect(texts()).toEqual([]);
});

test('an edit that names another question moves an answer that is not written yet', () => {
  const { say, edit, answers } = talk();
  const message = say(`HUB-Q:${q1}: yes`);
  edit(message, `HUB-Q:${q2}: yes`);
  expect(answers()).toEqual(['q2: yes']);
});

test('an edit that names another question cannot take back an answer that was written', () => {
  const { say, edit, answers, written, texts } = talk();
  const message = say(`HUB-Q:${q1}: yes`);
  written();
  edit(message, `HUB-Q:${q2}: yes`);
  expect(answers()).toEqual(['q1: yes']);
  expect(texts()).toEqual([english.alreadyTaken(q1)]);
});

test('an edit that leaves nothing after the code does not make the answer empty', () => {
  const { say, edit, answers, texts } = talk();
  const message = say(`HUB-Q:${q1}: yes`);
  edit(message, `HUB-Q:${q1}:`);
  expect(answers()).toEqual(['q1: yes']);
  expect(texts()).toEqual([english.emptyAnswer(q1)]);
});

test('an edit of a message that answered nothing is looked at anew', () => {
  const { say, edit, answers } = talk({ open: () => [] });
  const message = say('yes');
  edit(message, `HUB-Q:${q1}: yes`);
  expect(answers()).toEqual(['q1: yes']);
});

test('the same message once more, as an update of its own, changes nothing', () => {
  const { say, state, answers } = askedTalk();
  say('yes', { reply_to: 1 });
  const before = state();
  const world = quietWorld();
  world.post({ chat: { id: chat, type: 'private' }, from: world.bot, text: 'the question' });
  world.say({ chat, from: ann, text: 'yes', reply_to: 1 });
  const [update] = takeUpdates(world);
  if (update === undefined) throw new Error('no update');
  const view = viewOf({ qidOf: () => q1 });
  const again = decide(before, heardIn({ ...update, update_id: 7_000 }, listeningTo(chat)), view, nowMs);
  expect(again.state).toEqual(before);
  expect(answers()).toEqual(['q1: yes']);
});

test.each([
  ['a photo with a caption', { caption: 'yes', reply_to: 1 }],
  ['a voice message', { voice: true, reply_to: 1 }],
])('%s answers nothing and gets one clear reply', (_, said) => {
  const { send, answers, texts } = askedTalk();
  send(said);
  expect(answers()).toEqual([]);
  expect(texts()).toEqual([english.textOnly]);
});

test('a voice message that replies to a question is answered in whatever topic that stands', () => {
  const { send, texts, post } = talk({ topic: 3, qidOf: () => null }, -500);
  const message = post(`❓ [HUB-Q:${q1}] Go?`);
  send({ voice: true });
  expect(texts()).toEqual([]);
  send({ voice: true, reply_to: message });
  expect(texts()).toEqual([english.textOnly]);
});

test('an album gets one reply, not one a picture', () => {
  const { say, state } = askedTalk();
  say('x', { reply_to: 1 });
  const picture = {
    kind: 'wordless' as const,
    spot: { chat, topic: null, message: 9 },
    speaker: { user: ann.id, by: 'telegram:ann' },
    album: 'album',
    reply: null,
  };
  const first = decide(state(), picture, viewOf(), nowMs);
  const second = decide(first.state, { ...picture, spot: { ...picture.spot, message: 10 } }, viewOf(), nowMs);
  expect(second.state.texts).toHaveLength(1);
});

test('in a topic of our own a bare text is answered there; in another one only what names a question is heard', () => {
  const forum = -500;
  const { say, answers, texts, state, send } = talk({ topic: 3 }, forum);
  say('talk', { thread: 4, topic_message: true });
  send({ voice: true, thread: 4, topic_message: true });
  expect(texts()).toEqual([]);
  say(`HUB-Q:${q1}: yes`, { thread: 4, topic_message: true });
  expect(answers()).toEqual(['q1: yes']);
  say('bare', { thread: 3, topic_message: true });
  expect(state().texts).toMatchObject([{ topic: 3 }]);
});

test('/pending lists what is open, the oldest first [DAEM-09]', () => {
  const { say, texts, state } = talk();
  say('/pending');
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain('Open questions: 2');
  expect(texts()[0]?.indexOf(q1)).toBeLessThan(texts()[0]?.indexOf(q2) ?? 0);
  expect(texts()[0]).toContain('30 min left');
  expect(state().texts[0]).toMatchObject({ message: 1 });
});

test('/pending with nothing open says so; /help and /start tell how it works', () => {
  const { say, texts } = talk({ open: () => [] });
  say('/pending');
  say('/help');
  say('/start');
  expect(texts()).toEqual(['No question is open.', english.help, english.help]);
});

test.each([[q1], [q1.toLowerCase()], [`HUB-Q:${q1}`], [`[HUB-Q:${q1}]`], [`HUB-Q:${q1}:`]])(
  '/cancel %s asks the bridge to close that question [DAEM-09]',
  (code) => {
    const { say, state, texts } = talk();
    say(`/cancel ${code}`);
    expect(state().cancels).toEqual([{ qid: q1, by: 'telegram:ann', chat, topic: null, message: 1 }]);
    expect(texts()).toEqual([]);
  },
);

test('/cancel as a reply to a question closes that one [DAEM-09]', () => {
  const { say, state } = askedTalk();
  say('/cancel', { reply_to: 1 });
  expect(state().cancels).toMatchObject([{ qid: q1 }]);
});

test.each([
  ['/cancel', english.cancelHow],
  ['/cancel all', english.cancelHow],
  [`/cancel ${nobodys}`, english.unknownQuestion(nobodys)],
])('%s closes nothing and tells how', (text, words) => {
  const { say, state, texts } = talk();
  say(text);
  expect(state().cancels).toEqual([]);
  expect(texts()).toEqual([words]);
});

test('an answer that still waits for its end is complete when its question is cancelled: it came first', () => {
  const { say, ready } = askedTalk();
  say(long, { reply_to: 1 });
  say(`/cancel ${q1}`, { from: bo });
  expect(ready()).toEqual([long]);
});

test('where a thousand answers wait for daemons that do not run, one more is refused aloud, and none is dropped', () => {
  const { say, state, texts } = talk();
  for (let count = 0; count < 1_000; count += 1) say(`HUB-Q:${q1}: ${count}`);
  say(`HUB-Q:${q2}: one more`);
  expect(state().answers).toHaveLength(1_000);
  expect(texts()).toEqual([english.tooManyWaiting]);
});

test('answers that wait for daemons that do not run are bounded by their length too', () => {
  const { say, state, texts } = askedTalk();
  const words = 'a'.repeat(3_999);
  for (let count = 0; count < 60; count += 1) {
    say(long, { reply_to: 1 });
    for (let more = 0; more < 59; more += 1) say(words);
  }
  expect(texts()).toContain(english.tooManyWaiting);
  const units = state().answers.reduce(
    (all, { pieces }) => all + pieces.map(({ text }) => text).join('').length,
    0,
  );
  expect(units).toBeLessThanOrEqual(8_300_000);
});

test('every rule has an id of its own and says why it is there', () => {
  const ids = saidRules.map(({ id }) => id);
  expect(ids).toEqual([
    'seen',
    'same_text',
    'edited_answer',
    'edited_draft',
    'edited_too_late',
    'empty_after_prefix',
    'unknown_question',
    'answer',
    'goes_on',
    'elsewhere',
    'nothing_open',
    'which_question',
  ]);
  for (const { why } of saidRules) expect(why).not.toBe('');
});

test('an answer that may go on waits as long as updates are not fetched, another one does not', () => {
  const { say, state, later } = askedTalk();
  say(long, { reply_to: 1 });
  say(`HUB-Q:${q2}: no`, { from: bo });
  later(3_600_000);
  const blind = writableAnswers(state(), nowMs + 3_600_000, 700);
  expect(blind.ready.map(answerText)).toEqual(['no']);
  expect(blind.againMs).toBe(700);
});
