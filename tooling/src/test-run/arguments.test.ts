// Catches a partial run that passes for a whole one, and a misspelt option that runs the wrong thing in silence.
import { expect, test } from 'vitest';
import { readTestArguments } from './arguments.ts';

test.each([
  [[], { full: false, paths: [], titlePattern: undefined, partial: false }],
  [['--full'], { full: true, paths: [], titlePattern: undefined, partial: false }],
  [['--', '--full'], { full: true, paths: [], titlePattern: undefined, partial: false }],
  [
    ['packages/ledger', 'torn'],
    { full: false, paths: ['packages/ledger', 'torn'], titlePattern: undefined, partial: true },
  ],
  [['-t', 'torn tail'], { full: false, paths: [], titlePattern: 'torn tail', partial: true }],
])('%j', (args, options) => {
  expect(readTestArguments(args)).toEqual({ code: 'options', options });
});

test.each([['--ful'], ['-t'], ['--watch']])('%s is refused, never ignored', (...args) => {
  expect(readTestArguments(args)).toMatchObject({ code: 'wrong', reason: expect.any(String) });
});

test('help is asked for, not run', () => {
  expect(readTestArguments(['--help'])).toEqual({ code: 'help' });
});
