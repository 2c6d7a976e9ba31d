/** The bugs these exist to catch: a repeat handed on twice; a refused response remembered; memory without end. */
import { expect, test } from 'vitest';
import { accepted, createInbox, type Verdict } from './inbox.ts';

test('a repeat is acked and not handed on again', async () => {
  const inbox = createInbox(10);
  let handed = 0;
  const handle = async (): Promise<Verdict> => {
    handed += 1;
    return accepted;
  };
  expect([await inbox.take('m', handle), await inbox.take('m', handle)]).toEqual([accepted, accepted]);
  expect(handed).toBe(1);
});

test('a repeat during the handling shares it, verdict included', async () => {
  const inbox = createInbox(10);
  let handed = 0;
  const handle = async (): Promise<Verdict> => {
    handed += 1;
    await Promise.resolve();
    return { ok: false, error: 'full' };
  };
  const both = await Promise.all([inbox.take('m', handle), inbox.take('m', handle)]);
  expect(both).toEqual([
    { ok: false, error: 'full' },
    { ok: false, error: 'full' },
  ]);
  expect(handed).toBe(1);
});

test('a refused or failed response is not remembered: its sender may try again', async () => {
  const inbox = createInbox(10);
  await inbox.take('m', async () => ({ ok: false, error: 'no' }));
  await expect(inbox.take('m', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
  let handed = 0;
  await inbox.take('m', async () => {
    handed += 1;
    return accepted;
  });
  expect(handed).toBe(1);
});

test('the oldest id is forgotten at the bound', async () => {
  const inbox = createInbox(2);
  const handed: string[] = [];
  for (const id of ['a', 'b', 'c', 'b', 'a']) {
    await inbox.take(id, async () => {
      handed.push(id);
      return accepted;
    });
  }
  expect(handed).toEqual(['a', 'b', 'c', 'a']);
});
