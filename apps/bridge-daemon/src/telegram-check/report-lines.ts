/** The report as a person reads it in a terminal. Pure. */
import type { Finding } from './finding.ts';
import type { HeardChat } from './heard-chats.ts';
import type { CheckReport } from './look.ts';

const marks = { ok: '✓', note: '!', failed: '✗' } as const;
const checkColumns = 10;

const findingLines = ({ check, state, text, next }: Finding): readonly string[] => [
  `${marks[state]} ${check.padEnd(checkColumns)} ${text}`,
  ...(next === null ? [] : [`${' '.repeat(checkColumns + 2)} → ${next}`]),
];

const chatLines = (chats: readonly HeardChat[]): readonly string[] => {
  const [first] = chats;
  if (first === undefined) return [];
  const [user] = first.users;
  return [
    '',
    'Who wrote to the bot lately, the last one first:',
    ...chats.flatMap(({ to, title, users, at }) => [
      `  --to ${to}    ${title}, ${at}`,
      ...users.map(({ id, name }) => `    --allow-user ${id}    ${name}`),
      ...(users.length === 0 ? ['    nobody with a name of their own'] : []),
    ]),
    '',
    'Take what is yours, and check it:',
    `  bridge-daemon telegram-check --to ${first.to} --allow-user ${user?.id ?? '<id>'} --send`,
  ];
};

export const reportLines = ({ findings, chats }: CheckReport): readonly string[] => [
  ...findings.flatMap(findingLines),
  ...chatLines(chats ?? []),
];
