/** Hands a command to the process that holds the ledger (07). Never rejects. */
import { createConnection } from 'node:net';
import type { ControlAnswer, ControlRequest } from './control-server.ts';

const ANSWER_MS = 10_000;
const ANSWER_MAX = 256 * 1024 * 1024;

/** Null: nobody answers there. */
export function askHolder(path: string, request: ControlRequest): Promise<ControlAnswer | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection(path);
    const done = (answer: ControlAnswer | null): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => done(null));
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
    // The holder is this same program, behind a socket that only its owner can open.
    return JSON.parse(text) as ControlAnswer;
  } catch {
    return null;
  }
}
