/**
 * What every QuestionTransport must do, whatever the channel. Each adapter's test runs it, the one in memory too.
 */
import { parseQid, type Qid } from '@x/bridge';
import { expect, test } from 'vitest';
import type { PutNote, PutQuestion, QuestionTransport } from '../src/transport/question-transport.ts';

/** One adapter in a world of its own, with a channel that can be told to fail. */
export interface TransportUnderTest {
  readonly transport: QuestionTransport;
  /** It knows what it sent: a question that is surely there is not sent again, whoever asks. */
  readonly remembers?: boolean;
  /** From now on the channel takes no message, saying these words: surely not sent. */
  readonly refuse: (words: string) => void;
  /** From now on the channel takes a message and never says so. */
  readonly hang: () => void;
  /** The channel works again. */
  readonly heal: () => void;
  /** Texts that reached the person, in order. */
  readonly texts: () => string[];
  readonly end: () => Promise<void>;
}

const qidOf = (text: string): Qid => {
  const qid = parseQid(text);
  if (qid === null) throw new Error(`${text} is no qid`);
  return qid;
};
const qid = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
const other = qidOf('01J9ZQ4V7N3K8M2R5T6W8X9Y0B');

export const put = (more: Partial<PutQuestion> = {}): PutQuestion => ({
  qid,
  question: { question: 'Go?', options: [{ title: 'Yes' }, { title: 'No', description: 'later' }] },
  project: 'default',
  repeat: false,
  timeoutMs: 1_000,
  ...more,
});
const putNote = (note: PutNote['note']): PutNote => ({
  qid,
  note,
  question: put().question,
  project: 'default',
  timeoutMs: 1_000,
  messageIds: [],
  outcome: null,
});

/** `patient`: false where the channel shall hang, so that the test need not wait for it as long as people would. */
export type MakeTransport = (options: { readonly patient: boolean }) => Promise<TransportUnderTest>;

export const describeTransport = (name: string, make: MakeTransport): void => {
  const within = async (
    run: (under: TransportUnderTest) => Promise<void>,
    options = { patient: true },
  ): Promise<void> => {
    const under = await make(options);
    try {
      await run(under);
    } finally {
      await under.transport.close(0);
      await under.end();
    }
  };

  test(`${name}: a question reaches the person with its qid, and a repeat says so [BRID-04 DAEM-12]`, () =>
    within(async ({ transport, remembers = false, texts }) => {
      expect(await transport.deliver(put())).toMatchObject({ code: 'delivered' });
      expect(texts()[0]).toContain(`[HUB-Q:${qid}] Go?`);
      // Of this one nothing but the daemon's record knows that it may have been sent.
      expect(await transport.deliver(put({ qid: other, repeat: true }))).toMatchObject({ code: 'delivered' });
      expect(texts()[1]).toContain(`[HUB-Q:${other}] (repeat) Go?`);
      expect(await transport.deliver(put({ repeat: true }))).toMatchObject({ code: 'delivered' });
      if (remembers) expect(texts()).toHaveLength(2);
      else expect(texts()[2]).toContain(`[HUB-Q:${qid}] (repeat) Go?`);
    }));

  test(`${name}: each note reaches the person [BRID-21 BRID-23 BRID-25]`, () =>
    within(async ({ transport, texts }) => {
      for (const note of ['cancelled', 'timeout', 'late_answer'] as const)
        expect(await transport.note(putNote(note))).toMatchObject({ code: 'delivered' });
      expect(texts()).toHaveLength(3);
      for (const text of texts()) expect(text).toContain(`[HUB-Q:${qid}]`);
    }));

  test(`${name}: what was surely not sent is refused with the channel’s words, and health says so until it works again [DAEM-03 DAEM-05]`, () =>
    within(async ({ transport, refuse, heal, texts }) => {
      expect(transport.health()).toEqual({ state: 'ok' });
      refuse('chat not found');
      const before = Date.now();
      const failed = await transport.deliver(put());
      expect(failed).toMatchObject({ code: 'refused', message: expect.stringContaining('chat not found') });
      const health = transport.health();
      expect(health).toMatchObject({ state: 'degraded', reason: expect.stringContaining('chat not found') });
      const since = health.state === 'degraded' ? health.since : 0;
      expect(since).toBeGreaterThanOrEqual(before);
      // Since when, not the last time.
      await transport.deliver(put());
      expect(transport.health()).toMatchObject({ since });
      expect(texts()).toEqual([]);
      heal();
      expect(await transport.deliver(put())).toMatchObject({ code: 'delivered' });
      expect(transport.health()).toEqual({ state: 'ok' });
    }));

  test(`${name}: a channel that never answers is unknown after a bounded time, not refused [DAEM-03 DAEM-23]`, () =>
    within(
      async ({ transport, hang }) => {
        hang();
        expect(await transport.deliver(put())).toMatchObject({ code: 'unknown' });
      },
      { patient: false },
    ));

  test(`${name}: closing ends what hangs as aborted, and nothing is sent after it [DAEM-12]`, () =>
    within(async ({ transport, hang, heal, texts }) => {
      hang();
      const hanging = transport.deliver(put());
      await new Promise((resolve) => setTimeout(resolve, 50));
      await transport.close(10);
      expect((await hanging).code).toMatch(/^(aborted|unknown)$/);
      const sent = texts().length;
      heal();
      expect(await transport.deliver(put())).toEqual({ code: 'aborted' });
      expect(await transport.note(putNote('timeout'))).toEqual({ code: 'aborted' });
      expect(texts()).toHaveLength(sent);
    }));
};
