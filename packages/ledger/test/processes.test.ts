/**
 * Catches: a lock that outlives its holder or dies before it, a line that a kill tears and nobody mends, and a full disk
 * that is taken for success. Real processes on the built package; each one is ended by its own id.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { verifyChain } from '../src/index.ts';
import { inspectLock, isTemporaryName, openLedger, readLedger } from '../src/node/index.ts';
import { opened } from './support/opened.ts';
import { start } from './support/processes.ts';
import { temporaryFolder } from './support/temporary.ts';

const full = process.env['FULL'] === '1';
// Many processes on a busy machine: a slow start is no failure.
vi.setConfig({ testTimeout: 600_000 });
const fileIn = (): string => join(temporaryFolder(), 'ledger.jsonl');

/** Whether this user may make namespaces here; those tests need it. */
const may = (...flags: string[]): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('unshare', [...flags, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test('a second writer waits, then is refused with the holder named, and gets the ledger when it is closed [LEDG-03]', async () => {
  const file = fileIn();
  const holder = start('holder', [file]);
  expect(await holder.line()).toBe(`held ${holder.child.pid}`);
  const refused = await openLedger(file, { lockWaitMs: 150 });
  expect(refused).toMatchObject({
    code: 'LEDGER_LOCKED',
    retryable: true,
    holder: { pid: holder.child.pid, purpose: 'holding' },
  });
  if (refused.status === 'refused' && refused.code === 'LEDGER_LOCKED') {
    expect(refused.waitedMs).toBeGreaterThanOrEqual(150);
    expect(refused.message).toContain(`process ${holder.child.pid}`);
  }
  expect(await inspectLock(join(file, '..'))).toMatchObject({
    status: 'held',
    holder: { pid: holder.child.pid },
  });
  const waiting = openLedger(file, { lockWaitMs: 20_000 });
  holder.child.stdin?.write('x');
  const outcome = await waiting;
  expect(outcome.status).toBe('opened');
  if (outcome.status === 'opened') await outcome.ledger.close();
  expect(await inspectLock(join(file, '..'))).toEqual({ status: 'free' });
});

test('the lock goes with a killed holder, also while its children live [LEDG-03]', async () => {
  const file = fileIn();
  const holder = start('holder', [file, 'grandchild']);
  const [, , grandchild] = ((await holder.line()) ?? '').split(' ');
  holder.child.kill('SIGKILL');
  await holder.ended;
  try {
    expect(() => process.kill(Number(grandchild), 0)).not.toThrow();
    expect(existsSync(join(file, '..', 'ledger.lock'))).toBe(true);
    expect((await openLedger(file, { lockWaitMs: 0 })).status).toBe('opened');
  } finally {
    process.kill(Number(grandchild), 'SIGKILL');
  }
});

test('a stopped holder keeps the lock [LEDG-03]', async () => {
  const file = fileIn();
  const holder = start('holder', [file]);
  await holder.line();
  holder.child.kill('SIGSTOP');
  for (let round = 0; round < 3; round++) {
    expect(await openLedger(file, { lockWaitMs: 50 })).toMatchObject({
      code: 'LEDGER_LOCKED',
      holder: { pid: holder.child.pid },
    });
    expect(await inspectLock(join(file, '..'))).toMatchObject({ status: 'held' });
  }
  holder.child.kill('SIGCONT');
});

test('the lock is the folder, whatever path leads to it, and one process is no exception [LEDG-03]', async () => {
  const file = fileIn();
  const { ledger } = await opened(file);
  expect(await openLedger(join(file, '..', '.', 'ledger.jsonl'), { lockWaitMs: 0 })).toMatchObject({
    code: 'LEDGER_LOCKED',
    holder: { pid: process.pid },
  });
  ledger.announce({ controlSocket: '/run/x.sock' });
  expect(await openLedger(file, { lockWaitMs: 0 })).toMatchObject({
    holder: { control_socket: '/run/x.sock' },
  });
  await ledger.close();
  await ledger.close();
  expect(readdirSync(join(file, '..'))).toEqual(['ledger.jsonl']);
});

test.runIf(may('-n'))(
  'a holder in another network namespace, whose kernel lock cannot be seen, is believed by ledger.lock until it is dead [LEDG-03]',
  async () => {
    const file = fileIn();
    const holder = start('holder', [file], ['unshare', '-n']);
    expect(await holder.line()).toBe(`held ${holder.child.pid}`);
    expect(await openLedger(file, { lockWaitMs: 50 })).toMatchObject({
      code: 'LEDGER_LOCKED',
      holder: { pid: holder.child.pid },
    });
    expect(await inspectLock(join(file, '..'))).toMatchObject({
      status: 'held',
      holder: { pid: holder.child.pid },
    });
    holder.child.kill('SIGSTOP');
    expect(await openLedger(file, { lockWaitMs: 0 })).toMatchObject({ code: 'LEDGER_LOCKED' });
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(await inspectLock(join(file, '..'))).toEqual({ status: 'free' });
    await opened(file, { lockWaitMs: 0 });
  },
);

test('twenty processes append 60 KB at once and one is killed: every line that was called durable stands, once, in a whole chain [LEDG-03 LEDG-04 LEDG-05]', async () => {
  const file = fileIn();
  const processes = full ? 20 : 8;
  const running = Array.from({ length: processes }, (_, index) =>
    start('appender', [file, `p${index}`, '60000', '2']),
  );
  const durable: string[] = [];
  const victim = running[3];
  await Promise.all(
    running.map(async (one) => {
      for (let line = await one.line(); line !== null; line = await one.line()) {
        expect(line).toMatch(/^durable /u);
        durable.push(line);
        if (one === victim) one.child.kill('SIGKILL');
      }
    }),
  );
  expect(durable.length).toBeGreaterThanOrEqual(processes * 2 - 1);
  const { head, setAside } = await opened(file, { lockWaitMs: 0 });
  const found: string[] = [];
  for await (const item of readLedger(file, { canonical: true })) {
    if (item.kind === 'record')
      found.push(
        `durable ${item.record.seq} ${String(item.record.payload['name'])} ${String(item.record.payload['n'])}`,
      );
    else expect(item).toMatchObject({ kind: 'end', inFlightBytes: 0 });
  }
  // A killed process may have got its line down without having said so.
  expect(found).toEqual(expect.arrayContaining(durable));
  expect(found.length).toBeLessThanOrEqual(durable.length + 1);
  expect(head.seq).toBe(found.length);
  expect(setAside === null || setAside.reason === 'torn_tail').toBe(true);
});

test('a writer killed in the middle of appending leaves all that it called durable, and the next one goes on [LEDG-04 LEDG-06]', async () => {
  const file = fileIn();
  let seen = 0;
  for (let round = 0; round < (full ? 25 : 5); round++) {
    const writer = start('stream', [file, '30000', '3']);
    const patience = sleep(20 + round * 7);
    let last = await writer.line();
    void patience.then(() => writer.child.kill('SIGKILL'));
    for (let line = last; line !== null; line = await writer.line()) last = line;
    seen = Number(last?.split(' ')[1]);
    const outcome = await openLedger(file, { create: 'never', lockWaitMs: 5000 });
    if (outcome.status === 'refused') throw new Error(outcome.message);
    expect(outcome.head.seq).toBeGreaterThanOrEqual(seen);
    await outcome.ledger.close();
    const report = await verifyChain([readFileSync(file)]);
    expect(report).toMatchObject({ status: 'whole', head: { seq: outcome.head.seq }, tail: { length: 0 } });
  }
});

test('a process killed while it replaces a file leaves the old bytes or the new ones, and at most one temporary file [LEDG-15]', async () => {
  const folder = temporaryFolder();
  for (let round = 0; round < (full ? 30 : 4); round++) {
    const writer = start('replacer', [folder]);
    await writer.line();
    await sleep(5 + round * 3);
    writer.child.kill('SIGKILL');
    await writer.ended;
    const text = readFileSync(join(folder, 'report.md'), 'utf8');
    expect(['a'.repeat(200_000), 'b'.repeat(200_000)]).toContain(text);
    const others = readdirSync(folder).filter((name) => name !== 'report.md');
    expect(others.length).toBeLessThanOrEqual(1);
    for (const name of others) {
      expect(isTemporaryName(name)).toBe(true);
      unlinkSync(join(folder, name));
    }
  }
});

test('a lock file that is not readable, or left by a dead process, is no lock [LEDG-03]', async () => {
  const file = fileIn();
  await (await opened(file)).ledger.close();
  for (const text of ['', '\u0000\u0000', '{"v":1', '{"v":1,"pid":1}', 'null']) {
    appendFileSync(join(file, '..', 'ledger.lock'), text);
    const outcome = await openLedger(file, { lockWaitMs: 0 });
    expect(outcome.status).toBe('opened');
    if (outcome.status === 'opened') await outcome.ledger.close();
  }
});

test.runIf(may('-m'))(
  'a full disk is a typed error: cut back, closed, and appending goes on once there is room [LEDG-07]',
  async () => {
    const folder = temporaryFolder();
    const mount = `mount -t tmpfs -o size=64k none ${folder} && exec "$@"`;
    const filling = start('fill', [folder], ['unshare', '-m', 'sh', '-c', mount, 'sh']);
    const first = JSON.parse((await filling.line()) ?? 'null');
    expect(first).toMatchObject({ code: 'LEDGER_DISK_FULL', errno: 'ENOSPC' });
    expect(first.head).toBe(first.expected);
    expect(first.size).toBe(first.bytes);
    expect(JSON.parse((await filling.line()) ?? 'null')).toEqual({ again: 'LEDGER_CLOSED' });
    expect(JSON.parse((await filling.line()) ?? 'null')).toEqual({
      code: 'WRITE_DISK_FULL',
      errno: 'ENOSPC',
    });
    expect(JSON.parse((await filling.line()) ?? 'null')).toEqual({
      reopened: first.head,
      setAside: null,
      after: 'appended',
    });
    expect(await filling.ended).toEqual({ code: 0, signal: null });
  },
);
