import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary.ts';
import { lockNameOf } from './kernel-lock.ts';
import {
  mayStillHold,
  ownNote,
  parseNote,
  placeNote,
  startTicksOf,
  withdrawNote,
  type LockNote,
} from './lock-file.ts';

const here: LockNote = {
  v: 1,
  pid: 5,
  started_at: '2026-01-01T00:00:00.000Z',
  host: 'a',
  start_ticks: '77',
  boot_id: 'b1',
  net_namespace: 'n1',
  pid_namespace: 'p1',
};
const held = (note: Partial<LockNote>, ticks: string | null): boolean =>
  mayStillHold({ ...here, ...note }, here, () => ticks);

test('ledger.lock decides about a holder in another namespace only: by its start time where it can be seen, as alive where it cannot [LEDG-03]', () => {
  expect(held({}, '77')).toBe(false); // same namespace: it would hold the kernel lock that we have
  expect(held({ net_namespace: 'n2' }, '77')).toBe(true);
  expect(held({ net_namespace: 'n2' }, '78')).toBe(false); // another process has the number now
  expect(held({ net_namespace: 'n2' }, null)).toBe(false);
  expect(held({ net_namespace: 'n2', pid_namespace: 'p2' }, null)).toBe(true);
  expect(held({ boot_id: 'b0' }, '77')).toBe(false); // this machine was started again since
  expect(held({ boot_id: 'b0', host: 'z' }, null)).toBe(true);
});

test('a note is placed whole and once, and taken away only by the one who placed it [LEDG-03]', () => {
  const path = join(temporaryFolder(), 'ledger.lock');
  expect(placeNote(path, 'one')).toBe(true);
  expect(placeNote(path, 'two')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  withdrawNote(path, 'two');
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  withdrawNote(path, 'one');
  withdrawNote(path, 'one');
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test('what is no note says nothing', () => {
  const text = JSON.stringify(ownNote({ purpose: 'x', controlSocket: '/s' }));
  expect(parseNote(text)).toMatchObject({ pid: process.pid, purpose: 'x', control_socket: '/s' });
  for (const bad of [
    '',
    '{',
    'null',
    '[]',
    '{}',
    text.replace('"v":1', '"v":2'),
    text.replace('"host":"', '"hast":"'),
    text.replace('"/s"', '7'),
  ]) {
    expect(parseNote(bad)).toBeNull();
  }
});

test.runIf(process.platform === 'linux')(
  'the socket name fills the whole address, so Node versions that pad differently exclude each other [LEDG-03]',
  () => {
    const folder = temporaryFolder();
    const name = lockNameOf(folder);
    expect(Buffer.byteLength(name)).toBe(108);
    expect(name.startsWith('\0x-ledger-lock/')).toBe(true);
    expect(lockNameOf(join(folder, '.'))).toBe(name);
    expect(lockNameOf(temporaryFolder())).not.toBe(name);
  },
);

test.runIf(process.platform === 'linux')(
  'a process is told by its start, and one that is gone has none',
  () => {
    const file = join(temporaryFolder(), 'x');
    writeFileSync(file, '');
    expect(startTicksOf(process.pid)).toMatch(/^\d+$/u);
    expect(startTicksOf(4_194_305)).toBeNull(); // beyond the largest process number of Linux
  },
);
