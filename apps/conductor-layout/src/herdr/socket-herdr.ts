/**
 * herdr over its unix socket: newline JSON, one request a connection (06 Live).
 *
 * H1  A request ends: with an answer, or a fault within `REQUEST_TIMEOUT_MS`.
 * H2  No more than `ANSWER_BYTES_MAX` of an answer is ever held.
 */
import { connect } from 'node:net';
import { Answer, RESULTS } from './messages.ts';
import type { Herdr, HerdrFault, HerdrMethod, HerdrReply, HerdrResult } from './messages.ts';

/** herdr answers at once; starting 256 panes takes it longer. */
const REQUEST_TIMEOUT_MS = 15_000;

/** An answer to `layout.apply` repeats the layout; a list holds every workspace of the session. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** @param socketPath absolute path; its length is checked where it is found */
export function openSocketHerdr(socketPath: string, requestTimeoutMs: number = REQUEST_TIMEOUT_MS): Herdr {
  let lastId = 0;
  return {
    async request(method, params) {
      lastId += 1;
      const id = `conductor-layout-${lastId}`;
      const line = await exchange(
        socketPath,
        `${JSON.stringify({ id, method, params })}\n`,
        requestTimeoutMs,
      );
      return typeof line === 'string' ? readAnswer(method, id, line) : { ok: false, fault: line };
    },
  };
}

/** Sends one line and gives the first line that comes back, or why there is none. */
function exchange(socketPath: string, line: string, timeoutMs: number): Promise<string | HerdrFault> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isConnected = false;
    const socket = connect({ path: socketPath });
    const timer = setTimeout(() => finish(unanswered(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const finish = (outcome: string | HerdrFault): void => {
      clearTimeout(timer);
      // Also ends what is still being written; later events find the promise settled.
      socket.destroy();
      resolve(outcome);
    };
    socket.on('connect', () => {
      isConnected = true;
      socket.write(line);
    });
    socket.on('data', (chunk: Buffer) => {
      const end = chunk.indexOf(0x0a);
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      bytes += chunk.length;
      if (end >= 0) finish(Buffer.concat(chunks).toString('utf8'));
      else if (bytes > ANSWER_BYTES_MAX)
        finish(unanswered(`an answer of more than ${ANSWER_BYTES_MAX} bytes`));
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code ?? error.name;
      finish(isConnected ? unanswered(`the connection failed (${why})`) : { code: 'UNREACHABLE', why });
    });
    socket.on('close', () => finish(unanswered('the connection was closed without an answer')));
  });
}

function readAnswer<Method extends HerdrMethod>(
  method: Method,
  id: string,
  line: string,
): HerdrReply<Method> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { ok: false, fault: unanswered('the answer is not JSON') };
  }
  const answer = Answer.safeParse(json);
  if (!answer.success)
    return { ok: false, fault: unanswered('the answer has neither a result nor an error') };
  if (answer.data.error !== undefined) {
    const { code, message } = answer.data.error;
    return { ok: false, fault: { code: 'REFUSED', herdrCode: code, message } };
  }
  if (answer.data.id !== id) return { ok: false, fault: unanswered('the answer is to another request') };
  const result = RESULTS[method].safeParse(answer.data.result);
  if (!result.success)
    return { ok: false, fault: unanswered(`the result of ${method} has not the published shape`) };
  // The schema was looked up by this very method; TypeScript does not tie the two together.
  return { ok: true, result: result.data as HerdrResult<Method> };
}

function unanswered(why: string): HerdrFault {
  return { code: 'UNANSWERED', why };
}
