// Catches a README whose conversation no daemon has: its transcript is that of a real run, made again by this test.
// WRITE_README=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Message } from '../../../tooling/src/bot-api/world.ts';
import { ANN, CHAT, type TelegramWorld } from './support/telegram-world.ts';
import { useTelegramWorld } from './support/use-telegram-world.ts';
import { waitFor } from './support/wait-for.ts';

const world = useTelegramWorld();
const readmePath = fileURLToPath(new URL('../README.md', import.meta.url));
const [opening, closing] = [
  '<!-- transcript: test/telegram-transcript.test.ts -->\n```text\n',
  '\n```\n<!-- /transcript -->',
];
const unitsShown = 160;

const lines = ({ text = '', reply_markup }: Message): string[] => [
  ...(text.length > 400 ? `${text.slice(0, unitsShown)}… (${text.length} characters)` : text).split('\n'),
  ...(reply_markup?.inline_keyboard ?? []).map((row) => row.map((button) => `[ ${button.text} ]`).join(' ')),
];
const indented = (all: readonly string[]): string => all.map((line) => `  ${line}`.trimEnd()).join('\n');

/** Writes down what is new in the chat each time it is asked to look, as a person would see it. */
const recorder = ({ api }: TelegramWorld) => {
  const seen = new Map<number, string>();
  const parts: string[] = [];
  return {
    note: (text: string) => parts.push(`— ${text}`),
    look: (): void => {
      for (const message of api.world.messages(CHAT)) {
        const before = seen.get(message.message_id);
        const now = indented(lines(message));
        if (before === now) continue;
        const who = message.from?.is_bot === true ? '🤖 bot' : '👤 Ann';
        const replied = message.reply_to_message?.text?.split('\n')[0];
        const to =
          replied === undefined || before !== undefined ? '' : `, to “${replied.replace(/ \S+$/, ' …')}”`;
        parts.push(`${who}${before === undefined ? to : ', the same message, edited'}\n${now}`);
        seen.set(message.message_id, now);
      }
    },
    text: (): string => {
      const qids = new Map<string, string>();
      return parts.join('\n\n').replaceAll(/01[0-9A-HJKMNP-TV-Z]{24}/g, (qid) => {
        const name = qids.get(qid) ?? `01J9ZQ4V7N3K8M2R5T6W8X9Y0${String.fromCodePoint(65 + qids.size)}`;
        qids.set(qid, name);
        return name;
      });
    },
  };
};

test(
  'the conversation in the README is one that was held [DAEM-06 DAEM-07 DAEM-09]',
  { timeout: 60_000 },
  async () => {
    const { api, daemon, asker, comsCommand, question, questions, own, texts } = world();
    await daemon();
    const { look, note, text } = recorder(world());
    const edited = (qid: string, words: string): Promise<boolean> =>
      waitFor(`“${words}” in the question`, () => questions(qid).some((one) => one.text?.includes(words)));
    const planner = await asker('planner', { cwd: '/home/ann/docs' });
    const ask = (asked: object): Promise<string> => planner.ask(JSON.stringify(asked));
    const press = (message: Message, words: string): void => {
      const button = message.reply_markup?.inline_keyboard.flat().find((one) => one.text.includes(words));
      if (button === undefined) throw new Error(`there is no button ${words}`);
      note(`Ann presses [ ${button.text} ]`);
      api.world.press({ chat: CHAT, message: message.message_id, button: button.text, from: ANN });
    };

    note('an agent asks: coms ask "Deploy the docs now?" --option Yes --option No');
    const asking = comsCommand(['ask', 'Deploy the docs now?', '--option', 'Yes', '--option', 'No']);
    const shown = await waitFor('the question', () => own(CHAT)[0]);
    const deploy = /HUB-Q:(\w{26})/.exec(shown.text ?? '')?.[1] ?? '';
    look();
    press(shown, 'Yes');
    await edited(deploy, '✅');
    look();
    expect(await asking.ended).toBe(0);
    note(`the agent reads: ${asking.stdout().trim()}`);

    note('two more questions');
    const database = await ask({
      question: 'Which database?',
      options: [{ title: 'SQLite', description: 'one file' }, { title: 'PostgreSQL' }],
      context: 'The schema is drafted for both.',
    });
    await question(database);
    look();
    const friday = await ask({ question: 'What should the release notes say?', options: [] });
    await question(friday);
    look();
    api.world.say({ chat: CHAT, from: ANN, text: '/pending' });
    await waitFor('the list', () => texts().some((one) => one.startsWith('Open questions')));
    look();

    note('Ann writes without saying to which question');
    api.world.say({ chat: CHAT, from: ANN, text: 'postgresql' });
    const list = await waitFor('the offer', () =>
      own(CHAT).find((one) => one.text?.startsWith('Which question')),
    );
    look();
    press(list, 'Which database?');
    await edited(database, '✅');
    await waitFor('the list to be changed', () => texts().some((one) => one.startsWith('✅ What you wrote')));
    look();
    expect((await planner.response(database)).response).toEqual({
      kind: 'selection',
      selections: ['PostgreSQL'],
    });

    note('Ann replies with a long text; Telegram cuts it into two messages');
    const long = `Say that search is back, and thank the people who reported it. ${'More words. '.repeat(400)}That is all.`;
    const { message_id: reply_to } = await question(friday);
    const pieces = api.world.sayLong({ chat: CHAT, from: ANN, text: long, reply_to });
    look();
    expect((await planner.response(friday)).response).toEqual({
      kind: 'freeform',
      text: pieces.map((one) => one.text).join(''),
    });
    note(
      `the agent gets it whole, as one answer of ${pieces.map((one) => one.text).join('').length} characters`,
    );
    await edited(friday, '✅');
    look();

    note('much later, Ann changes her mind about the first one');
    api.world.say({ chat: CHAT, from: ANN, text: 'no, wait', reply_to: shown.message_id });
    await waitFor('the note', () => texts().some((one) => one.startsWith('ℹ')));
    look();

    const readme = readFileSync(readmePath, 'utf8');
    const start = readme.indexOf(opening) + opening.length;
    const end = readme.indexOf(closing, start);
    expect(readme.indexOf(opening)).toBeGreaterThan(0);
    expect(end).toBeGreaterThan(0);
    if (process.env['WRITE_README'] === '1')
      writeFileSync(readmePath, readme.slice(0, start) + text() + readme.slice(end));
    expect(readFileSync(readmePath, 'utf8').slice(start, start + text().length)).toBe(text());
    expect(readFileSync(readmePath, 'utf8').slice(start + text().length)).toMatch(
      /^\n```\n<!-- \/transcript -->/,
    );
  },
);
