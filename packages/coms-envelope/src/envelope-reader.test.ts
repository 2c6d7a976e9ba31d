/**
 * The bugs these exist to catch: a foreign peer's envelope refused for a field it need not have; an unknown field
 * dropped; `null` or `[]` ending a process; a deep or hostile value going through.
 */
import { describe, expect, test } from 'vitest';
import { createEnvelopeReader, createReplyReader, encodeLine, type Incoming } from './envelope-reader.ts';

function read(...lines: string[]): Incoming[] {
  const reader = createEnvelopeReader();
  return [
    ...reader.push(new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))),
    ...reader.end(),
  ];
}

function faultOf(line: string): { code: string; error: string; msgId: string } {
  const [item] = read(line);
  if (item?.kind !== 'fault') throw new Error(`accepted: ${line}`);
  return { code: item.code, error: item.error, msgId: item.msgId };
}

const minimal = {
  prompt: { type: 'prompt', msg_id: 'm', prompt: 'hi', sender_endpoint: '/s/a.sock', hops: 0 },
  response: { type: 'response', msg_id: 'm', response: null },
  cancel: { type: 'cancel', msg_id: 'c', from: 'a', to: 'b', created_at: 'now', ref_msg_id: 'm' },
  ping: { type: 'ping', msg_id: 'p' },
};

describe('what is accepted', () => {
  for (const [type, envelope] of Object.entries(minimal)) {
    test(`the minimum of a ${type} is accepted as it stands [COMS-03 COMS-04 COMS-05 BRID-20]`, () => {
      expect(read(JSON.stringify(envelope))).toEqual([{ kind: 'envelope', envelope }]);
    });

    for (const field of Object.keys(envelope)) {
      test(`a ${type} without ${field} is a fault that names it [COMS-03 COMS-04 COMS-05 BRID-20]`, () => {
        const { [field]: _left, ...rest } = envelope as Record<string, unknown>;
        const fault = faultOf(JSON.stringify(rest));
        expect(fault.code).toBe('INVALID_ENVELOPE');
        expect(fault.error).toMatch(new RegExp(`field ${field}: (expected|the key is missing)`));
      });
    }
  }

  for (const field of ['msg_id', 'from', 'to', 'created_at', 'ref_msg_id']) {
    test(`a cancel with an empty ${field} is a fault [COMS-05 BRID-20]`, () => {
      expect(faultOf(JSON.stringify({ ...minimal.cancel, [field]: '' })).error).toContain(field);
    });
  }

  test('optional fields of a prompt may have any type: the minimum alone decides [COMS-03]', () => {
    const odd = {
      ...minimal.prompt,
      sender_name: 5,
      timestamp: 1,
      reply_timeout_ms: 'soon',
      sender_cwd: null,
    };
    expect(read(JSON.stringify(odd))).toEqual([{ kind: 'envelope', envelope: odd }]);
  });

  test('unknown fields are kept, __proto__ and constructor among them, and reach no prototype [COMS-05]', () => {
    const line =
      '{"type":"ping","msg_id":"p","extra":{"a":[1]},"__proto__":{"polluted":true},"constructor":1,"toString":2}';
    const [item] = read(line);
    if (item?.kind !== 'envelope') throw new Error('refused');
    expect(JSON.stringify(item.envelope)).toBe(line);
    expect('polluted' in item.envelope).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  test('hops that overflow to infinity are a fault, not a number', () => {
    expect(
      faultOf('{"type":"prompt","msg_id":"m","prompt":"","sender_endpoint":"","hops":1e999}').error,
    ).toContain('hops');
  });
});

describe('what is answered and never fatal', () => {
  const lines: [line: string, code: string, error: string][] = [
    ['null', 'INVALID_ENVELOPE', 'an envelope is a JSON object'],
    ['42', 'INVALID_ENVELOPE', 'an envelope is a JSON object'],
    ['[]', 'INVALID_ENVELOPE', 'an envelope is a JSON object'],
    ['"x"', 'INVALID_ENVELOPE', 'an envelope is a JSON object'],
    ['{}', 'INVALID_ENVELOPE', 'field type: expected a string'],
    ['{"type":7}', 'INVALID_ENVELOPE', 'field type: expected a string'],
    ['\0\0\0', 'INVALID_JSON', 'invalid json'],
    ['{"type":"ping","msg_id":"p"} x', 'INVALID_JSON', 'invalid json'],
    ['\ufeff{"type":"ping","msg_id":"p"}', 'INVALID_JSON', 'invalid json'],
    ['not json', 'INVALID_JSON', 'invalid json'],
    ['{"__proto__":{"type":"ping","msg_id":"p"}}', 'INVALID_ENVELOPE', 'field type: expected a string'],
    [
      '{"type":"__proto__"}',
      'INVALID_ENVELOPE',
      'unknown type "__proto__": expected one of prompt, response, cancel, ping',
    ],
    [
      '{"type":"constructor"}',
      'INVALID_ENVELOPE',
      'unknown type "constructor": expected one of prompt, response, cancel, ping',
    ],
    [
      '{"type":"ack","msg_id":"m"}',
      'INVALID_ENVELOPE',
      'unknown type "ack": expected one of prompt, response, cancel, ping',
    ],
  ];
  for (const [line, code, error] of lines) {
    test(`${JSON.stringify(line)} is a fault with a text, and the next line is still read [COMS-02 COMS-14]`, () => {
      const items = read(line, JSON.stringify(minimal.ping));
      expect(items[0]).toMatchObject({ kind: 'fault', code, error });
      expect(items[1]).toEqual({ kind: 'envelope', envelope: minimal.ping });
    });
  }

  test('a fault carries the msg_id where the line has one', () => {
    expect(faultOf('{"type":"prompt","msg_id":"m7"}').msgId).toBe('m7');
    expect(faultOf('{"type":"prompt","msg_id":7}').msgId).toBe('');
  });

  test('blank lines and lines of blanks are skipped, CRLF is accepted [COMS-01]', () => {
    expect(read('', '  ', '\r', `${JSON.stringify(minimal.ping)}\r`, '')).toEqual([
      { kind: 'envelope', envelope: minimal.ping },
    ]);
  });

  test('nesting that would overflow a stack is refused by its depth; brackets in strings do not count [COMS-14]', () => {
    const deep = `{"type":"ping","msg_id":"p","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(faultOf(deep)).toMatchObject({
      code: 'INVALID_JSON',
      error: 'json nested deeper than 512 levels',
    });
    const brackets = { ...minimal.ping, x: `\\"${'['.repeat(30_000)}` };
    expect(read(JSON.stringify(brackets))).toEqual([{ kind: 'envelope', envelope: brackets }]);
    const wide = { ...minimal.ping, x: Array.from({ length: 9_000 }, () => []) };
    expect(read(JSON.stringify(wide))).toEqual([{ kind: 'envelope', envelope: wide }]);
  });

  test('a line too large ends the reading with its nack text [COMS-02]', () => {
    expect(read('x'.repeat(65_537), JSON.stringify(minimal.ping))).toEqual([
      { kind: 'fault', code: 'LINE_TOO_LARGE', error: 'line too large', msgId: '' },
    ]);
  });
});

describe('replies and encoding', () => {
  test('ack, nack and pong are read; an envelope is no reply [COMS-01 COMS-06]', () => {
    const reader = createReplyReader();
    const lines = [
      '{"type":"ack","msg_id":"m"}',
      '{"type":"nack","error":"no"}',
      '{"type":"nack","msg_id":null,"error":"no"}',
      '{"type":"pong","msg_id":"p","agent_card":{"name":"a"}}',
      '{"type":"ping","msg_id":"p"}',
    ];
    const items = reader.push(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')));
    expect(items.map((item) => (item.kind === 'reply' ? item.reply.type : item.code))).toEqual([
      'ack',
      'nack',
      'nack',
      'pong',
      'INVALID_ENVELOPE',
    ]);
  });

  test('an envelope at the limit is encoded, one unit more is refused with its size [COMS-02]', () => {
    const room = 65_536 - JSON.stringify({ ...minimal.prompt, prompt: '' }).length;
    const fits = encodeLine({ ...minimal.prompt, type: 'prompt', prompt: 'a'.repeat(room) });
    expect(fits.ok && fits.line.length).toBe(65_537);
    expect(encodeLine({ ...minimal.prompt, type: 'prompt', prompt: 'a'.repeat(room + 1) })).toEqual({
      ok: false,
      code: 'LINE_TOO_LARGE',
      units: 65_537,
      unitsMax: 65_536,
    });
  });

  test('a lone surrogate is escaped, so that the bytes are UTF-8', () => {
    const encoded = encodeLine({ type: 'ping', msg_id: 'a\ud800b' });
    expect(encoded.ok && encoded.line).toBe('{"type":"ping","msg_id":"a\\ud800b"}\n');
  });
});
