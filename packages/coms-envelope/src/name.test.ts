/** The bug these exist to catch: a name that leaves its folder, or a suffix that makes a name too long. */
import { expect, test } from 'vitest';
import { isPeerName, isProjectName, nameCandidate } from './name.ts';

test('names of peers: letters, digits, _ and -, at most 64, not the word projects [COMS-11]', () => {
  for (const name of ['a', '9', 'user-remote', 'A_b-c', 'x'.repeat(64), 'project', 'Projects']) {
    expect([name, isPeerName(name)]).toEqual([name, true]);
  }
  for (const name of [
    '',
    '-a',
    '_a',
    '.a',
    'a.b',
    'a/b',
    'a b',
    'ї',
    'x'.repeat(65),
    'projects',
    'a\n',
    'a\0',
  ]) {
    expect([name, isPeerName(name)]).toEqual([name, false]);
  }
});

test('names of projects: dots too, but never two in a row [COMS-11]', () => {
  for (const project of ['default', 'a.b', 'v1.2-rc_3', '0'])
    expect([project, isProjectName(project)]).toEqual([project, true]);
  for (const project of ['', '..', 'a..b', '.a', 'a/b', '../x', 'a b', 'a\n', 'x'.repeat(201)]) {
    expect([project, isProjectName(project)]).toEqual([project, false]);
  }
});

test('candidates append 2, 3, … and stay names, however long the first is [COMS-11]', () => {
  expect([1, 2, 3, 10].map((ordinal) => nameCandidate('bob', ordinal))).toEqual([
    'bob',
    'bob2',
    'bob3',
    'bob10',
  ]);
  const long = 'x'.repeat(64);
  expect(nameCandidate(long, 100)).toBe(`${'x'.repeat(61)}100`);
  expect(isPeerName(nameCandidate(long, 9_999))).toBe(true);
});
