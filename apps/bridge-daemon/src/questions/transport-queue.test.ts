import { parseQid } from '@x/bridge';
import { expect, test, vi } from 'vitest';
import { createTransportQueue } from './transport-queue.ts';

const qidOf = (at: number) => {
  const qid = parseQid(`01J9ZQ4V7N3K8M2R5T6W8X9Y${String(at).padStart(2, '0')}`);
  if (qid === null) throw new Error('no qid');
  return qid;
};

test('at most so many run at once, one question’s in order, and a slow one holds up no other', async () => {
  const queue = createTransportQueue({ runsMax: 2 });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const job = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  };
  queue.add(qidOf(1), job('question 1'));
  queue.add(qidOf(1), job('note 1'));
  queue.add(qidOf(2), job('question 2'));
  queue.add(qidOf(3), job('question 3'));
  expect(order).toEqual(['question 1', 'question 2']);
  const endFirst = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (let ended = 0; ended < 4; ended += 1) await endFirst();
  expect(order).toEqual(['question 1', 'question 2', 'note 1', 'question 3']);
  expect(most).toBe(2);
  queue.add(qidOf(4), job('question 4'));
  queue.close();
  queue.add(qidOf(5), job('question 5'));
  expect(order).toContain('question 4');
  expect(order).not.toContain('question 5');
});

test('new work gives way to prompts that wait for their ack, until the way is free or a moment is over', () => {
  vi.useFakeTimers();
  try {
    let asking = true;
    const queue = createTransportQueue({ runsMax: 2, giveWay: () => asking, giveWayMs: 25 });
    const started: number[] = [];
    const add = (at: number): void =>
      queue.add(qidOf(at), () => {
        started.push(at);
        return new Promise(() => undefined);
      });
    add(1);
    expect(started).toEqual([]);
    asking = false;
    queue.resume();
    expect(started).toEqual([1]);
    asking = true;
    add(2);
    vi.advanceTimersByTime(24);
    expect(started).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(started).toEqual([1, 2]);
    queue.close();
  } finally {
    vi.useRealTimers();
  }
});
