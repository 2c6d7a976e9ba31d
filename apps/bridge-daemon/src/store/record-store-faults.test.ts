// Catches a question that is lost, or that can never be stored again, after a write failed or somebody took a hand in it.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readRecord, type Placement, type Qid } from '@x/bridge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Folders } from './folders.ts';
import { asked, cancelled, delivered, ours, qid, qidOf, started } from './record-store.fixture.ts';
import type { RecordStore } from './record-store.ts';
import { createStoreWorld, type StoreWorld } from './store-world.fixture.ts';

/** Says of a write to a record file how many bytes of it are done before the disk is full, once; null: all. */
let fault: ((position: number) => number | null) | null = null;
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const isOfJournal = (bytes: Buffer): boolean =>
    /^([0-9a-f]{16} |\{"journal")/.test(bytes.toString('latin1'));
  return {
    ...real,
    writeSync: (fd: number, bytes: Buffer, offset: number, length: number, at: number): number => {
      const done = isOfJournal(bytes) ? null : (fault?.(at) ?? null);
      if (done === null) return real.writeSync(fd, bytes, offset, length, at);
      fault = null;
      if (done > 0) real.writeSync(fd, bytes, offset, done, at);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
});

let world: StoreWorld;
let folders: Folders;
let store: RecordStore;
beforeEach(() => {
  world = createStoreWorld();
  ({ folders, store } = world);
});
afterEach(() => {
  fault = null;
  return world.end();
});

const restarted = (): RecordStore => world.restarted();
const at = (placement: Placement, id: Qid = qid) => join(folders.placed[placement], `${id}.json`);
const lying = (placement: Placement) => readRecord(readFileSync(at(placement), 'utf8'));
const journals = () => readdirSync(folders.writing).filter((file) => file.startsWith('journal.'));
const isSettled = () =>
  journals().every((file) => !readFileSync(join(folders.writing, file), 'utf8').startsWith('{"journal":1'));

test.each([
  { what: 'taken away', meddle: () => rmSync(at('pending')) },
  {
    what: 'replaced by a link',
    meddle: () => {
      rmSync(at('pending'));
      symlinkSync(join(world.root, 'elsewhere'), at('pending'));
    },
  },
])(
  'a question whose file somebody has $what while it is open is still put and closed [DAEM-12 DAEM-21]',
  async ({ meddle }) => {
    writeFileSync(join(world.root, 'elsewhere'), 'untouched');
    const record = asked();
    await store.create(record);
    await store.save(started(record), 'pending');
    meddle();
    await store.save(delivered(record), 'pending');
    expect(lying('pending')).toEqual({ code: 'record', record: delivered(record) });
    meddle();
    await store.save(cancelled(record), 'pending');
    expect(lying('closed')).toEqual({ code: 'record', record: cancelled(record) });
    expect(existsSync(at('pending'))).toBe(false);
    expect(readFileSync(join(world.root, 'elsewhere'), 'utf8')).toBe('untouched');
  },
);

test('a question that cannot have its file holds up no other one’s [DAEM-12]', async () => {
  const other = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0B');
  mkdirSync(at('pending'));
  await store.create(asked());
  await store.create(asked(ours, other));
  await waitFor('the other file', () => existsSync(at('pending', other)));
  expect(store.locate(qid)).toMatchObject({ reading: { code: 'record' } });
  rmSync(at('pending'), { recursive: true });
  await waitFor('its file', () => existsSync(at('pending')));
});

test('a closing for which there is no room leaves the file as it was [DAEM-12 DAEM-21]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  const before = readFileSync(at('pending'));
  fault = (position) => (position === before.length ? 10 : null);
  const closed = { ...cancelled(record), answer_digest: 'x'.repeat(before.length) };
  await expect(store.save(closed, 'pending')).rejects.toThrow('ENOSPC');
  expect(readFileSync(at('pending'))).toEqual(before);
  await store.save(closed, 'pending');
  expect(lying('closed')).toEqual({ code: 'record', record: closed });
});

test('a closing that failed in the middle of its file is whole before the journal goes [DAEM-12 DAEM-21]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  fault = (position) => (position === 0 ? 250 : null);
  await expect(store.save(cancelled(record), 'pending')).rejects.toThrow('ENOSPC');
  expect(lying('pending').code).not.toBe('record');
  await waitFor('the journal to be settled', isSettled);
  expect(restarted().locate(qid)).toEqual({
    placement: 'pending',
    reading: { code: 'record', record: cancelled(record) },
  });
});

test('something in the place where a closed question belongs keeps no daemon from starting [DAEM-12 DAEM-15]', async () => {
  const record = asked();
  await store.create(record);
  await store.save(started(record), 'pending');
  mkdirSync(at('closed'));
  await expect(store.save(cancelled(record), 'pending')).rejects.toThrow('EISDIR');
  writeFileSync(at('pending'), readFileSync(at('pending'), 'utf8').slice(0, 50));
  expect(restarted().locate(qid)).toEqual({
    placement: 'pending',
    reading: { code: 'record', record: cancelled(record) },
  });
});
