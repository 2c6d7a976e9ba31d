// The bugs: a work state that has ended still lets us write; a grant behind a boundary counts too early; a state that is
// written to; a root reached through a link.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { grantFromFile } from './make-grant.ts';
import { grantNow, readWorkState } from './lithermes.ts';

let worktree = '';
let state = '';

beforeEach(() => {
  worktree = realpathSync(mkdtempSync(join(tmpdir(), 'lithermes-')));
  mkdirSync(join(worktree, 'out'));
  mkdirSync(join(worktree, '.hermes/lithermes/work/w1'), { recursive: true });
  state = join(worktree, '.hermes/lithermes/work/w1/state.json');
});
afterEach(() => rmSync(worktree, { recursive: true, force: true }));

function write(changes: object, entry: object = {}): string {
  const authority = [
    {
      id: 'a1',
      action: 'write',
      root: join(worktree, 'out'),
      boundary_id: null,
      consumed_at: null,
      ...entry,
    },
  ];
  const text = JSON.stringify({
    schema: 3,
    status: 'active',
    revision: 7,
    authority,
    other: 'kept',
    ...changes,
  });
  writeFileSync(state, text);
  return text;
}

test('an active work state with a write authority is a grant at its revision, and is never written [LEDG-16]', () => {
  const text = write({});
  const read = grantFromFile(state, '/');
  expect(read).toMatchObject({
    ok: true,
    grant: { grant_id: 'a1', root: join(worktree, 'out'), revision: 7 },
  });
  expect(readFileSync(state, 'utf8')).toBe(text);
});

test.each([
  ['status ended', { status: 'done' }, {}],
  ['an older schema', { schema: 2 }, {}],
  ['a boundary that is not consumed', {}, { boundary_id: 'b1' }],
  ['another action', {}, { action: 'read' }],
  ['a relative root', {}, { root: 'out' }],
])('%s gives no grant [LEDG-16]', (_, changes, entry) => {
  write(changes, entry);
  expect(readWorkState(state).ok).toBe(false);
});

test('a consumed boundary counts [LEDG-16]', () => {
  write({}, { boundary_id: 'b1', consumed_at: '2026-11-30T12:00:00Z' });
  expect(readWorkState(state).ok).toBe(true);
});

test('a root behind a link is not canonical [LEDG-16 PROTO-36]', () => {
  symlinkSync(join(worktree, 'out'), join(worktree, 'link'));
  write({}, { root: join(worktree, 'link') });
  expect(readWorkState(state).ok).toBe(false);
});

test('the state is read again: once it ended, the grant is gone, and a new revision shows [LEDG-16 LEDG-14]', () => {
  write({});
  const read = readWorkState(state);
  if (!read.ok) throw new Error(read.reason);
  expect(grantNow(read.grant)?.revision).toBe(7);
  write({ revision: 8 });
  expect(grantNow(read.grant)?.revision).toBe(8);
  write({ status: 'ended' });
  expect(grantNow(read.grant)).toBeNull();
  rmSync(state);
  expect(grantNow(read.grant)).toBeNull();
});
