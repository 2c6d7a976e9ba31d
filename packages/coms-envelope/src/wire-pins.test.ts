/**
 * Pins: the bytes that we write. The expected side is a literal; one that turns red asks whether peers that are
 * already out there still understand us.
 */
import { expect, test } from 'vitest';
import { encodeLine } from './envelope-reader.ts';
import { defaultLimits } from './limits.ts';

test('every envelope and reply is one line of JSON with the fields of the wire, in this order [COMS-01 COMS-03 COMS-04 COMS-06 BRID-20]', () => {
  const common = { sender_session: 's', sender_endpoint: '/e', hops: 1, timestamp: 't' };
  const lines = [
    encodeLine({
      type: 'prompt',
      msg_id: 'm',
      ...common,
      prompt: 'їжак\n\u2028',
      sender_name: 'a',
      sender_cwd: '/w',
      reply_timeout_ms: 5,
    }),
    encodeLine({ type: 'response', msg_id: 'm', ...common, response: { kind: 'freeform' } }),
    encodeLine({ type: 'response', msg_id: 'm', ...common, response: null, error: 'e' }),
    encodeLine({ type: 'cancel', msg_id: 'c', from: 'a', to: 'b', created_at: 't', ref_msg_id: 'm' }),
    encodeLine({ type: 'ping', msg_id: 'p' }),
    encodeLine({ type: 'pong', msg_id: 'p', agent_card: { name: 'a' } }),
    encodeLine({ type: 'ack', msg_id: 'm' }),
    encodeLine({ type: 'nack', msg_id: 'm', error: 'line too large' }),
  ];
  expect(lines.map((encoded) => (encoded.ok ? encoded.line : encoded.code))).toEqual([
    '{"type":"prompt","msg_id":"m","sender_session":"s","sender_endpoint":"/e","hops":1,"timestamp":"t","prompt":"їжак\\n\u2028","sender_name":"a","sender_cwd":"/w","reply_timeout_ms":5}\n',
    '{"type":"response","msg_id":"m","sender_session":"s","sender_endpoint":"/e","hops":1,"timestamp":"t","response":{"kind":"freeform"}}\n',
    '{"type":"response","msg_id":"m","sender_session":"s","sender_endpoint":"/e","hops":1,"timestamp":"t","response":null,"error":"e"}\n',
    '{"type":"cancel","msg_id":"c","from":"a","to":"b","created_at":"t","ref_msg_id":"m"}\n',
    '{"type":"ping","msg_id":"p"}\n',
    '{"type":"pong","msg_id":"p","agent_card":{"name":"a"}}\n',
    '{"type":"ack","msg_id":"m"}\n',
    '{"type":"nack","msg_id":"m","error":"line too large"}\n',
  ]);
});

test('the numbers of the wire [COMS-02 COMS-09]', () => {
  expect(defaultLimits).toMatchObject({ lineUnitsMax: 65_536, heartbeatMs: 30_000 });
});
