import { expect, test } from 'vitest';
import { questionOf } from './question.ts';
import { english } from './texts.ts';

test('plain text is asked with who sent it as context, where both name and folder are known [DAEM-02]', () => {
  const asked = { kind: 'text', text: 'Deploy?' } as const;
  expect(questionOf(asked, { name: 'planner', cwd: '/srv/repo' }, english)).toEqual({
    question: 'Deploy?',
    context: 'From planner @ /srv/repo',
    options: [],
  });
  expect(questionOf(asked, { name: null, cwd: '/srv/repo' }, english)).toEqual({
    question: 'Deploy?',
    options: [],
  });
});

test('a structured question keeps its own context, and empty parts count as absent [BRID-07 DAEM-02]', () => {
  const by = { name: 'planner', cwd: '/srv' };
  const options = [
    { title: 'Yes', description: '' },
    { title: 'No', description: 'later' },
  ];
  expect(
    questionOf({ kind: 'question', question: { question: 'Go?', context: '', options } }, by, english),
  ).toEqual({
    question: 'Go?',
    options: [{ title: 'Yes' }, { title: 'No', description: 'later' }],
  });
});
