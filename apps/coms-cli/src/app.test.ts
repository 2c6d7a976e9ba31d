/** The bug this exists to catch: a verb whose help does not show how it is used. */
import { generateHelpTextForAllCommands } from '@stricli/core';
import { expect, test } from 'vitest';
import { app } from './app.ts';
import { printable } from './peer-table.ts';

const helpTexts = new Map(generateHelpTextForAllCommands(app));

for (const verb of ['list', 'send', 'await', 'reply', 'ask', 'cancel', 'ping', 'serve', 'completion']) {
  test(`the help of ${verb} has a usage, examples that begin with the command, and its flags [COMS-15 COMS-16]`, () => {
    const help = helpTexts.get(`coms ${verb}`) ?? '';
    expect(help).toContain('USAGE\n');
    const examples = help.slice(help.indexOf('EXAMPLES\n'));
    expect(examples).toContain(`coms ${verb}`);
    expect(examples).toContain('-h  --help');
  });
}

test('texts of other processes reach a terminal without control characters, cut to a width', () => {
  expect(printable('a\u001b[2Jb\nc\u202ed\u0007')).toBe('a [2Jb c d');
  expect(printable('🙂'.repeat(70))).toBe(`${'🙂'.repeat(59)}…`);
});
