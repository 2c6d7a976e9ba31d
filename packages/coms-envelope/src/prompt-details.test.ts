/** The bug these exist to catch: a field of an unexpected type treated as if it were there. */
import { expect, test } from 'vitest';
import { promptDetails, responseError } from './prompt-details.ts';

const minimal = { type: 'prompt', msg_id: 'm', prompt: '', sender_endpoint: '', hops: 0 } as const;

test('details of a complete prompt [COMS-03]', () => {
  const details = promptDetails({
    ...minimal,
    sender_name: 'a',
    sender_cwd: '/w',
    sender_session: 's',
    conversation_id: 'c',
    reply_timeout_ms: 9,
  });
  expect(details).toEqual({
    senderName: 'a',
    senderCwd: '/w',
    senderSession: 's',
    conversationId: 'c',
    replyTimeoutMs: 9,
  });
});

test('fields of another type count as absent [COMS-03]', () => {
  const none = {
    senderName: undefined,
    senderCwd: undefined,
    senderSession: undefined,
    conversationId: undefined,
    replyTimeoutMs: undefined,
  };
  expect(promptDetails(minimal)).toEqual(none);
  expect(
    promptDetails({
      ...minimal,
      sender_name: 5,
      sender_cwd: '',
      sender_session: null,
      conversation_id: [],
      reply_timeout_ms: '9',
    }),
  ).toEqual(none);
  for (const bad of [0, -1, Infinity, NaN])
    expect(promptDetails({ ...minimal, reply_timeout_ms: bad }).replyTimeoutMs).toBeUndefined();
});

test('an error of a response is text, or JSON; none where the field says nothing [COMS-04]', () => {
  const response = { type: 'response', msg_id: 'm', response: null } as const;
  expect(responseError({ ...response, error: 'bad' })).toBe('bad');
  expect(responseError({ ...response, error: { code: 1 } })).toBe('{"code":1}');
  for (const none of [undefined, null, '', false])
    expect(responseError({ ...response, error: none })).toBeUndefined();
});
