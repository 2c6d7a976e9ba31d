import { expect, test } from 'vitest';
import { judgePrompt } from './prompt.ts';
import { asker, received, run } from './step.fixture.ts';

test('a known msg_id is a repeat from the same sender with the same content, else it is refused [DAEM-16]', () => {
  const record = run(received);
  expect(judgePrompt(null, asker, 'd0')).toEqual({ code: 'new' });
  expect(judgePrompt(record, { ...asker, session: 's2' }, 'd0')).toEqual({ code: 'repeated' });
  expect(judgePrompt(record, asker, 'd1')).toMatchObject({
    code: 'refused',
    error: expect.stringContaining('other content'),
  });
  expect(judgePrompt(record, { ...asker, name: 'thief' }, 'd0')).toMatchObject({
    code: 'refused',
    error: expect.stringContaining('another sender'),
  });
});
