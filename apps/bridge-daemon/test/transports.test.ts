import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHermesTransport } from '../src/transport/hermes.ts';
import { createProcessRunner } from '../src/transport/process-worker.ts';
import type { Delivery } from '../src/transport/question-transport.ts';
import { createFakeHermes } from '../../../tooling/src/fake-hermes/fake-hermes.ts';
import { refusal } from '../../../tooling/src/bot-api/faults.ts';
import { createTelegramWorld } from '../src/transport/telegram/telegram.fixture.ts';
import { createMemoryTransport } from './support/memory-transport.ts';
import { workerText } from './support/worker-text.ts';
import { describeTransport, put, type TransportUnderTest } from './transport-contract.ts';

const hermesUnderTest = (runMs: number): Promise<TransportUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), 'bd-hermes-'));
  const fake = createFakeHermes(folder);
  // Programs are run in the environment of this process.
  const before = { ...process.env };
  Object.assign(process.env, fake.env);
  const transport = createHermesTransport({
    runner: createProcessRunner(workerText()),
    target: 'telegram',
    profile: null,
    runMs,
  });
  let refusing = false;
  return Promise.resolve({
    transport,
    refuse: (words) => {
      refusing = true;
      fake.behave(`echo '${words}' >&2; rm -f "$dir"/runs/$$.*; exit 4`);
    },
    hang: () => fake.behave('sleep 30'),
    heal: () => {
      refusing = false;
      fake.behave(null);
    },
    texts: () => (refusing ? [] : fake.runs().map((args) => args.at(-1) ?? '')),
    end: () => {
      process.env['PATH'] = before['PATH'];
      delete process.env['FAKE_HERMES_DIR'];
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      return Promise.resolve();
    },
  });
};

describeTransport('hermes', ({ patient }) => hermesUnderTest(patient ? 20_000 : 400));

describeTransport('memory', () => {
  const ok: Delivery = { code: 'delivered', messageIds: [] };
  let next: () => Promise<Delivery> = () => Promise.resolve(ok);
  let open = true;
  const memory = createMemoryTransport({ deliver: () => next() });
  const texts = (): string[] => [
    ...memory.questions.map(
      ({ qid, repeat, question }) => `[HUB-Q:${qid}] ${repeat ? '(repeat) ' : ''}${question.question}`,
    ),
    ...memory.notes.map(({ qid, note }) => `[HUB-Q:${qid}] ${note}`),
  ];
  let frozen: string[] | null = null;
  return Promise.resolve({
    transport: {
      ...memory,
      close: async (drainMs: number) => {
        await memory.close(drainMs);
        if (open) frozen = texts();
        open = false;
      },
    },
    refuse: (words) => {
      next = () => {
        memory.questions.length = 0;
        return Promise.resolve({ code: 'refused', message: words });
      };
    },
    hang: () => {
      next = () =>
        new Promise((resolve) => setTimeout(() => resolve({ code: 'unknown', message: 'hung' }), 100));
    },
    heal: () => {
      next = () => Promise.resolve(ok);
    },
    texts: () => frozen ?? texts(),
    end: () => Promise.resolve(),
  });
});

describeTransport('telegram', async ({ patient }) => {
  const { server, start, texts, end } = await createTelegramWorld();
  return {
    transport: start({ requestMs: patient ? 20_000 : 300 }),
    remembers: true,
    refuse: (words) =>
      server.faults.decide((method) =>
        method === 'sendMessage' ? refusal(400, `Bad Request: ${words}`) : null,
      ),
    hang: () =>
      server.faults.decide((method) => (method === 'sendMessage' ? { fault: 'never_answer_after' } : null)),
    heal: () => server.faults.clear(),
    texts: () => texts(),
    end,
  };
});

test('titles that fill the message to its last unit are still repeated, without the mark they leave no room for [DAEM-12 DAEM-01]', async () => {
  const under = await hermesUnderTest(20_000);
  try {
    const withTitle = (units: number) =>
      put({ question: { question: 'q', options: [{ title: 't'.repeat(units) }] } });
    let units = 4096;
    while (under.transport.refusal(withTitle(units)) !== null) units -= 1;
    const title = 't'.repeat(units);
    expect(
      await under.transport.deliver(put({ question: { question: 'q', options: [{ title }] }, repeat: true })),
    ).toMatchObject({ code: 'delivered' });
    expect(under.texts()[0]).toHaveLength(4096);
    expect(under.texts()[0]).not.toContain('(repeat)');
  } finally {
    await under.transport.close(0);
    await under.end();
  }
});
