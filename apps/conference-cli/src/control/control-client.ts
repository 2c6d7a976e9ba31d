/** Hands a command to the process that holds the ledger (07). Never rejects. */
import { createConnection } from 'node:net';
import * as z from 'zod';
import type { ControlAnswer, ControlRequest } from './control-server.ts';

/** Milliseconds for a whole answer, and its characters. */
const ANSWER_MS = 10_000;
const ANSWER_MAX = 256 * 1024 * 1024;

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), document: z.looseObject({}), words: z.string() }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string(), exit: z.int() }),
]);

/** Null: nobody answers there. */
export function askHolder(path: string, request: ControlRequest): Promise<ControlAnswer | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection(path);
    const timer = setTimeout(() => done(null), ANSWER_MS);
    const done = (answer: ControlAnswer | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8');
    socket.on('error', () => done(null));
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > ANSWER_MAX) done(null);
    });
    socket.on('end', () => done(readAnswer(text)));
  });
}

function readAnswer(text: string): ControlAnswer | null {
  try {
    const parsed = answerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
