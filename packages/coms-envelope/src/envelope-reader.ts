/**
 * Reads envelopes and replies from bytes: framing, JSON and shape in one place, pure.
 *
 * Boundary: bytes in, envelopes and faults out. Who answers, and when, is the server's business.
 *
 * R1 Whatever the bytes are, the outcome is a value: nothing here throws or keeps more than one line.
 * R2 The object handed on is the one that was parsed, not a copy: every unknown field is kept, `__proto__` included.
 */
import * as z from 'zod/mini';
import {
  ackSchema,
  cancelSchema,
  nackSchema,
  pingSchema,
  pongSchema,
  promptSchema,
  responseSchema,
  type Envelope,
  type Reply,
} from './envelope.ts';
import { issueText } from './issue-text.ts';
import { createLineReader, type Line, type LineReader } from './line-reader.ts';
import { defaultLimits, type ComsLimits } from './limits.ts';

/**
 * Why a line is no envelope; `error` is the text of the nack. Existing peers know `line too large` and
 * `invalid json` (04 Wire).
 */
export interface Fault {
  readonly kind: 'fault';
  readonly code: 'LINE_TOO_LARGE' | 'INVALID_JSON' | 'INVALID_ENVELOPE';
  readonly error: string;
  /** The `msg_id` of the line where it has one, else empty. */
  readonly msgId: string;
}

export type Incoming = { readonly kind: 'envelope'; readonly envelope: Envelope } | Fault;
export type IncomingReply = { readonly kind: 'reply'; readonly reply: Reply } | Fault;

/**
 * One schema a type, so that a fault names the field of the right one. They only check (R2), so the ones with a fixed
 * shape leave out the unknown fields, which would be copied for nothing.
 */
const envelopeSchemas = {
  prompt: z.object(promptSchema.shape),
  response: responseSchema,
  cancel: z.object(cancelSchema.shape),
  ping: z.object(pingSchema.shape),
} as const;

const replySchemas = {
  ack: z.object(ackSchema.shape),
  nack: z.object(nackSchema.shape),
  pong: pongSchema,
} as const;

type AnySchema =
  | (typeof envelopeSchemas)[keyof typeof envelopeSchemas]
  | (typeof replySchemas)[keyof typeof replySchemas];

/** True where arrays and objects are nested deeper than `max`. Looks at the text, because walking would recurse. */
function nestsDeeper(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}

function fault(code: Fault['code'], error: string, msgId = ''): Fault {
  return { kind: 'fault', code, error, msgId };
}

type Parsed = { readonly kind: 'object'; readonly value: Record<string, unknown> } | Fault;

function parseObject(text: string, nestingMax: number): Parsed {
  if (nestsDeeper(text, nestingMax))
    return fault('INVALID_JSON', `json nested deeper than ${nestingMax} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('INVALID_JSON', 'invalid json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('INVALID_ENVELOPE', 'an envelope is a JSON object');
  }
  // What is left of JSON.parse's results here is a plain object, whose keys are strings.
  return { kind: 'object', value: value as Record<string, unknown> };
}

/** What is wrong with the shape of this object, or null. */
function shapeFault(
  schemas: Readonly<Record<string, AnySchema>>,
  value: Record<string, unknown>,
): Fault | null {
  const msgId = typeof value['msg_id'] === 'string' ? value['msg_id'] : '';
  const type = value['type'];
  if (typeof type !== 'string') return fault('INVALID_ENVELOPE', 'field type: expected a string', msgId);
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (schema === undefined) {
    const found = JSON.stringify(type.slice(0, 40));
    const known = Object.keys(schemas).join(', ');
    return fault('INVALID_ENVELOPE', `unknown type ${found}: expected one of ${known}`, msgId);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return null;
  return fault('INVALID_ENVELOPE', `invalid ${type}: ${issueText(checked.error.issues)}`, msgId);
}

/** Blank lines are skipped (04 Wire): a carriage return alone is one, too. */
function isBlank(line: Line): boolean {
  return line.kind === 'line' && line.text.trim() === '';
}

function lineFault(line: Extract<Line, { kind: 'fault' }>): Fault {
  return line.code === 'LINE_TOO_LARGE'
    ? fault('LINE_TOO_LARGE', 'line too large')
    : fault('INVALID_JSON', 'invalid json');
}

function readLine(line: Line, schemas: Readonly<Record<string, AnySchema>>, nestingMax: number): Parsed {
  if (line.kind === 'fault') return lineFault(line);
  const parsed = parseObject(line.text, nestingMax);
  if (parsed.kind === 'fault') return parsed;
  return shapeFault(schemas, parsed.value) ?? parsed;
}

/** Reads one connection from its first byte to its end. Only `LINE_TOO_LARGE` ends it early. */
export interface Reader<Item> {
  push(bytes: Uint8Array): Item[];
  end(): Item[];
  /** Bytes held for an incomplete line. */
  readonly heldBytes: number;
}

type Bounds = Pick<ComsLimits, 'lineUnitsMax' | 'nestingMax'>;

class LineByLineReader<Item> implements Reader<Item> {
  readonly #lines: LineReader;
  readonly #read: (line: Line) => Item;

  constructor(bounds: Bounds, read: (line: Line) => Item) {
    this.#lines = createLineReader(bounds.lineUnitsMax);
    this.#read = read;
  }

  get heldBytes(): number {
    return this.#lines.heldBytes;
  }

  push(bytes: Uint8Array): Item[] {
    return this.#items(this.#lines.push(bytes));
  }

  end(): Item[] {
    return this.#items(this.#lines.end());
  }

  #items(found: readonly Line[]): Item[] {
    const items: Item[] = [];
    for (const line of found) if (!isBlank(line)) items.push(this.#read(line));
    return items;
  }
}

/** What a server reads: envelopes. */
export function createEnvelopeReader(bounds: Bounds = defaultLimits): Reader<Incoming> {
  return new LineByLineReader(bounds, (line): Incoming => {
    const read = readLine(line, envelopeSchemas, bounds.nestingMax);
    if (read.kind === 'fault') return read;
    // The schema of its type has just accepted this very object (R2).
    return { kind: 'envelope', envelope: read.value as Envelope };
  });
}

/** What a client reads: the answer to its line. */
export function createReplyReader(bounds: Bounds = defaultLimits): Reader<IncomingReply> {
  return new LineByLineReader(bounds, (line): IncomingReply => {
    const read = readLine(line, replySchemas, bounds.nestingMax);
    if (read.kind === 'fault') return read;
    // The schema of its type has just accepted this very object (R2).
    return { kind: 'reply', reply: read.value as Reply };
  });
}

/** An envelope or reply as it goes on the wire, or the excess of a line that no peer would take. */
export type Encoded =
  | { readonly ok: true; readonly line: string }
  | {
      readonly ok: false;
      readonly code: 'LINE_TOO_LARGE';
      readonly units: number;
      readonly unitsMax: number;
    };

/** Encodes one line, line feed included. Lone surrogates are escaped, so the bytes are always UTF-8. */
export function encodeLine(value: Envelope | Reply, unitsMax: number = defaultLimits.lineUnitsMax): Encoded {
  const text = JSON.stringify(value);
  if (text.length > unitsMax) return { ok: false, code: 'LINE_TOO_LARGE', units: text.length, unitsMax };
  return { ok: true, line: `${text}\n` };
}
