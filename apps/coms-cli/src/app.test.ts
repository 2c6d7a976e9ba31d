/** The bug this exists to catch: a verb whose help does not show how it is used. */
import { run } from '@stricli/core';
import { expect, test } from 'vitest';
import { app } from './app.ts';
import { createContext } from './context.ts';
import { printable } from './peer-table.ts';

async function helpOf(verb: string): Promise<string> {
  let text = '';
  const stream = { write: (part: string) => void (text += part) };
  await run(app, [verb, '--help'], {
    ...createContext(process),
    process: { stdout: stream, stderr: stream },
  });
  return text;
}

for (const verb of ['list', 'send', 'await', 'reply', 'ask', 'cancel', 'ping', 'serve', 'completion']) {
  test(`the help of ${verb} has a usage, examples that begin with the command, and its flags [COMS-15 COMS-16]`, async () => {
    const help = await helpOf(verb);
    expect(help).toContain('USAGE\n');
    expect(help).toMatch(/^ +-h +--help/m);
    expect(help.slice(help.indexOf('EXAMPLES\n'))).toContain(`coms ${verb}`);
  });
}

test('texts of other processes reach a terminal without control characters, cut to a width', () => {
  expect(printable('a\u001b[2Jb\nc\u202ed\u0007')).toBe('a [2Jb c d');
  expect(printable('🙂'.repeat(70))).toBe(`${'🙂'.repeat(59)}…`);
});
