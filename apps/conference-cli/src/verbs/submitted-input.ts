/**
 * What `submit` is handed, read before the ledger is opened: a child that is slow to write holds nobody up.
 *
 * B1 Bounded: of a packet no more is read than shows that it is oversized; a batch beyond its bound is refused whole.
 * B2 The packet of a batch line is the text that stands there, not what `JSON.parse` makes of it: that takes the last of two
 *    equal keys and rounds numbers, and a packet must mean one thing (02 Reading what a child sends).
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Incoming } from '@x/conference-core/chair';
import type { CliContext } from '../context.ts';
import { isCost } from '../cost.ts';
import { usage, type Failure } from '../output.ts';
import { errorCode } from '../error-code.ts';

/** Bytes of one packet that are read; each charter allows far less, so one more byte is an oversized packet. */
const PACKET_READ_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of a whole batch. */
const BATCH_BYTES_MAX = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export type Reading =
  | { readonly ok: true; readonly incoming: readonly Incoming[] }
  | { readonly ok: false; readonly failure: Failure };

/** One packet under one id. */
export async function readOne(
  context: CliContext,
  given: { readonly id: string | undefined; readonly file: string; readonly cost: string | undefined },
): Promise<Reading> {
  if (given.id === undefined)
    return refused('ID_MISSING', 'submit needs the dispatch id: conference submit DIR ID [FILE]');
  const bytes = await readBytes(context, given.file, PACKET_READ_BYTES_MAX + 1);
  if (typeof bytes === 'string') return refused('FILE_UNREADABLE', bytes);
  const cost = given.cost === undefined ? {} : { cost: given.cost };
  return { ok: true, incoming: [{ dispatch_id: given.id, bytes, ...cost }] };
}

/** Lines `{ "dispatch_id", "packet", "cost"? }`; a packet is an object, or a text as the child sent it. */
export async function readBatch(context: CliContext, file: string): Promise<Reading> {
  const bytes = await readBytes(context, file, BATCH_BYTES_MAX + 1);
  if (typeof bytes === 'string') return refused('FILE_UNREADABLE', bytes);
  if (bytes.length > BATCH_BYTES_MAX)
    return refused(
      'BATCH_INVALID',
      `${file} has more than the ${BATCH_BYTES_MAX} bytes that a batch may have`,
    );
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('BATCH_INVALID', `${file} is not UTF-8`);
  }
  const incoming: Incoming[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (typeof read === 'string')
      return refused('BATCH_INVALID', `line ${index + 1}: ${read}; nothing was recorded`);
    incoming.push(read);
  }
  return { ok: true, incoming };
}

const LINE_SHAPE = 'accepted is { "dispatch_id": "…", "packet": { … }, "cost"?: "0.25" }';
const encoder = new TextEncoder();

function readLine(line: string): Incoming | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return `it is not JSON; ${LINE_SHAPE}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return LINE_SHAPE;
  const { dispatch_id, packet, cost, ...others }: Record<string, unknown> = { ...value };
  if (typeof dispatch_id !== 'string' || packet === undefined || Object.keys(others).length > 0)
    return LINE_SHAPE;
  if (cost !== undefined && (typeof cost !== 'string' || !isCost(cost)))
    return `cost is ${JSON.stringify(cost)}; accepted is a decimal as text, such as "0.25"`;
  const members = rawMembers(line);
  const raw = members.filter(({ key }) => key === 'packet');
  const names = new Set(members.map(({ key }) => key));
  if (raw.length !== 1 || names.size !== members.length) return `a key stands twice; ${LINE_SHAPE}`;
  const text = typeof packet === 'string' ? packet : (raw[0]?.text ?? '');
  return { dispatch_id, bytes: encoder.encode(text), ...(cost === undefined ? {} : { cost }) };
}

/** The members of an object that `JSON.parse` took, each value as it is spelt. */
function rawMembers(line: string): { readonly key: string; readonly text: string }[] {
  const members: { key: string; text: string }[] = [];
  let depth = 0;
  let key = '';
  let from = 0;
  // Strings are skipped whole, so brackets and commas in them count for nothing.
  for (const { 0: token, index } of line.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const ends = depth === 1 && (token === ',' || token === '}');
    if (ends && from > 0) members.push({ key, text: line.slice(from, index).trim() });
    if (ends) from = 0;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token === ':') from = index + 1;
    else if (depth === 1 && from === 0 && token.startsWith('"')) key = String(JSON.parse(token));
  }
  return members;
}

/** At most so many bytes of a file, or of standard input; a text: why not. */
async function readBytes(context: CliContext, file: string, bytesMax: number): Promise<Uint8Array | string> {
  try {
    return file === '-'
      ? await readStream(context.node.stdin, bytesMax)
      : readFile(resolve(context.cwd, file), bytesMax);
  } catch (error) {
    const code = errorCode(error, 'unreadable');
    return `${file} cannot be read (${code}); accepted is a file, or - for standard input`;
  }
}

async function readStream(stream: NodeJS.ReadStream, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let left = bytesMax;
  for await (const chunk of stream) {
    // Without an encoding a stream gives bytes.
    const bytes = (chunk as Buffer).subarray(0, left);
    chunks.push(bytes);
    left -= bytes.length;
    // The rest is not read: leaving the loop ends the stream, and the writer gets EPIPE.
    if (left === 0) break;
  }
  return Buffer.concat(chunks);
}

function readFile(path: string, bytesMax: number): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    const chunks: Buffer[] = [];
    for (let left = bytesMax; left > 0;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left));
      const count = readSync(fd, chunk, 0, chunk.length, null);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      left -= count;
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(fd);
  }
}

function refused(code: string, message: string): Extract<Reading, { ok: false }> {
  return { ok: false, failure: usage(code, message) };
}
