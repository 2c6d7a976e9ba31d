import { expect, test } from 'vitest';
import { workspaceLabel, worktreeTag } from './workspace-label.ts';

test.each([
  ['/repo/main.wt2', 'wt2', 'the last dot-segment'],
  ['/repo/agent-fleet', 'agent-fleet', 'no dot: the whole name'],
  ['/repo/a.b.c', 'c', 'the last of several'],
  ['/home/me/.dotfiles', 'dotfiles', 'a hidden folder'],
  ['/repo/main.', 'repo', 'nothing after the last dot'],
  ['/', 'repo', 'no name at all'],
  ['/repo/my repo', 'my-repo', 'a space'],
  ['/repo/--x--', 'x', 'dashes at the ends'],
  ['/repo/_x_', '_x_', 'underscores are letters of a tag'],
  ['/repo/проєкт', 'repo', 'nothing left in A-Z'],
  ['/repo/a🙂b', 'a-b', 'one dash a character, not one a half of it'],
  ['/repo/a\nb$(x)', 'a-b--x', 'what a shell or a terminal would act on'],
  ['/repo/main.wt2/', 'wt2', 'a trailing slash'],
])('the tag of %j is %j: %s [COND-04 LAYO-08]', (checkout, tag) => {
  expect(worktreeTag(checkout)).toBe(tag);
});

test('two worktrees of one repository have different labels for the same team [COND-04]', () => {
  const parts = { mode: 'conductor', team: 'docs', project: 'default' } as const;
  expect(workspaceLabel({ ...parts, checkout: '/repo/main.wt1' })).toBe('wt1-conductor-docs');
  expect(workspaceLabel({ ...parts, checkout: '/repo/main.wt2' })).toBe('wt2-conductor-docs');
});

test('a project is in the label unless it is the default one, and peers alone are another mode [LAYO-08]', () => {
  const parts = { checkout: '/repo/main.wt2', team: 'docs' };
  expect(workspaceLabel({ ...parts, mode: 'conductor', project: 'acme.prod' })).toBe(
    'wt2-conductor-docs--project.acme.prod',
  );
  expect(workspaceLabel({ ...parts, mode: 'peers', project: 'default' })).toBe('wt2-peers-docs');
});
