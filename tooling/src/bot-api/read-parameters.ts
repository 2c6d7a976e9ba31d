/** The parameters of a request: a JSON object, a form, or the query, as the real server takes them. */
import type { IncomingMessage } from 'node:http';
import { recordOf, type CallParameters } from './answer.ts';

const bodyBytesMax = 1_048_576;

/** Null for what is no such thing, or too long. `json`: the body is JSON, whatever its header says. */
export async function readParameters(
  request: IncomingMessage,
  body: 'json' | 'as_marked' = 'as_marked',
): Promise<CallParameters | null> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const text = await readText(request);
  if (text === null) return null;
  if (text === '') return fromForm(query);
  const form =
    body === 'as_marked' &&
    request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const given = form ? fromForm(new URLSearchParams(text)) : fromJson(text);
  return given === null ? null : { ...fromForm(query), ...given };
}

async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > bodyBytesMax) return null;
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function fromJson(text: string): CallParameters | null {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** In a form, lists and objects are JSON. */
const fromForm = (form: URLSearchParams): CallParameters =>
  Object.fromEntries([...form].map(([name, value]) => [name, /^[[{]/.test(value) ? jsonOr(value) : value]));

function jsonOr(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
