// Catches a bridge that starts work of its own: a prompt to a peer, or a program run for something nobody asked.
import { readFileSync } from 'node:fs';
import { listen, send, type ListeningPeer } from '@x/coms-envelope/node';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { waitFor } from './support/wait-for.ts';

const world = useWorld();
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const stranger = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';

test('the bridge answers what peers ask and starts nothing itself, and its README keeps it apart from the outbound Codex conductor [COND-07]', async () => {
  const given = world();
  const bridge = await given.daemon(['--poll-ms', '50']);
  const reached: string[] = [];
  const opened = await listen({
    coms: given.coms,
    name: 'worker',
    cwd: '/srv/repo',
    handlers: {
      prompt: ({ prompt }) => {
        reached.push(`prompt ${prompt}`);
        return { ok: true };
      },
      response: ({ msg_id }) => {
        reached.push(`response ${msg_id}`);
        return { ok: true };
      },
      cancel: ({ ref_msg_id }) => void reached.push(`cancel ${ref_msg_id}`),
    },
  });
  if (!opened.ok) throw new Error(opened.message);
  const worker: ListeningPeer = opened;
  try {
    // What a person says unasked, and what peers send that is no question.
    given.answer(stranger, 'worker: deploy the docs');
    await waitFor('it to be rejected', () => given.log().some(({ qid }) => qid === stranger));
    const response = { type: 'response', msg_id: stranger, response: 'do it' } as const;
    expect((await send(given.coms, { endpoint: bridge.entry.endpoint, envelope: response })).ok).toBe(false);
    await bridge.cancel(stranger);
    expect(given.hermes.runs()).toEqual([]);

    const envelope = worker.prompt({ prompt: 'Go?' });
    await send(given.coms, { endpoint: bridge.entry.endpoint, envelope });
    const qid = envelope.msg_id;
    given.answer(qid, 'worker: deploy the docs, then run the tests');
    await waitFor('the answer', () => reached.length > 0);
    await waitFor(
      'all to be done',
      () => given.files('closed').length > 0 && given.files('questions').length === 0,
    );
    expect(await bridge.terminate()).toBe(0);
    // To its asker, who asked: once, as a response. To nobody anything else.
    expect(reached).toEqual([`response ${qid}`]);
    expect(given.sentTexts().every((text) => text.startsWith(`❓ [HUB-Q:${qid}] Go?`))).toBe(true);
  } finally {
    await worker.close();
  }

  const [section = ''] = /^## What it is not$[\s\S]*?(?=^## )/m.exec(readme) ?? [];
  for (const words of [
    'inbound only',
    'starts no work',
    'codex-remote-conductor.md',
    'outbound',
    'approvals',
    'one thing at a time',
  ])
    expect(section).toContain(words);
});
