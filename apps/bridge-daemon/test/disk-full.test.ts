// Catches an answer removed although it could not be stored, and a daemon that a full disk ends.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useWorld } from './support/use-world.ts';
import { sleep, waitFor } from './support/wait-for.ts';

const world = useWorld();

test('a full disk refuses new prompts, keeps answers where they are, says so, and goes on when there is room [DAEM-12 DAEM-21 DAEM-05]', async () => {
  const given = world();
  const marker = join(given.root, 'full');
  const bridge = await given.daemon(['--poll-ms', '100'], {
    node: ['--import', fileURLToPath(new URL('support/fail-while.mjs', import.meta.url))],
    env: { FAIL_WHILE: marker },
  });
  const planner = await given.asker('planner');
  const answered = await planner.ask('answered meanwhile?');
  const delivered = (qid: string) =>
    waitFor('the delivery', () =>
      given.log().some((entry) => entry.qid === qid && entry.event === 'delivered'),
    );
  await delivered(answered);
  // Long enough to be delivered on a busy machine.
  const overdue = await planner.ask('overdue meanwhile?', { replyTimeoutMs: 4_000 });
  await delivered(overdue);
  writeFileSync(marker, '');
  const { sent } = await planner.prompt('new?');
  expect(sent).toMatchObject({ ok: false, code: 'NACK', message: expect.stringContaining('ENOSPC') });
  given.answer(answered, 'yes');
  const deadline = Date.parse(String(given.record('pending', overdue)['deadline']));
  await sleep(Math.max(0, deadline - Date.now()) + 300);
  expect(given.files('questions')).toEqual([`${answered}.answer.json`]);
  expect(planner.responses).toEqual([]);
  expect((await bridge.card()).bridge).toMatchObject({
    state: 'degraded',
    reason: expect.stringContaining('ENOSPC'),
  });
  rmSync(marker);
  expect((await planner.response(answered)).response).toEqual({ kind: 'freeform', text: 'yes' });
  expect((await planner.response(overdue)).error).toBe('no remote answer within 4000ms');
  await waitFor(
    'all lines',
    () => given.log().filter(({ event }) => event === 'answered' || event === 'timeout').length === 2,
  );
  await waitFor('the file to go', () => given.files('questions').length === 0);
  expect((await bridge.card()).bridge).toMatchObject({ state: 'ok' });
});
