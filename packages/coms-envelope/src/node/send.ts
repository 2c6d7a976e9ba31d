/**
 * The client: connect, write one line, read one line, close (04 Wire).
 *
 * Boundary: one exchange with one endpoint. Nothing is repeated here once the line may have been read.
 */
import { connect } from 'node:net';
import { createReplyReader, encodeLine, type IncomingReply } from '../envelope-reader.ts';
import type { Ack, Envelope, Pong } from '../envelope.ts';
import { defaultLimits, type ComsLimits } from '../limits.ts';
import type { Coms } from './coms-folder.ts';
import { isDeadCode, judgeEndpoint } from './probe.ts';
import { systemCode } from './safe-file.ts';

/**
 * Why there is no ack. `sent: 'no'` means surely not delivered, so that trying again cannot repeat anything;
 * `'maybe'` means that the line may have been taken. `'refused'` is the peer's own no.
 *
 * - `NACK` the peer refused; `message` is its text.
 * - `PEER_DEAD` nobody listens there (refused, or no such socket).
 * - `ENDPOINT_REFUSED` not an endpoint that we connect to.
 * - `LINE_TOO_LARGE` the envelope does not fit in one line.
 * - `CONNECT_FAILED` the system refused the connection for another reason, or it took too long.
 * - `NO_ANSWER` nothing came within the time limit, or the connection ended without an answer.
 * - `BAD_ANSWER` what came was no answer to this line.
 * - `ABORTED` the caller's signal ended it.
 */
export interface SendFailure {
  readonly ok: false;
  readonly code:
    | 'NACK'
    | 'PEER_DEAD'
    | 'ENDPOINT_REFUSED'
    | 'LINE_TOO_LARGE'
    | 'CONNECT_FAILED'
    | 'NO_ANSWER'
    | 'BAD_ANSWER'
    | 'ABORTED';
  readonly sent: 'no' | 'maybe' | 'refused';
  readonly message: string;
}

export type SendOutcome = { readonly ok: true; readonly reply: Ack | Pong } | SendFailure;

export interface SendOptions {
  /** Time limit for the whole exchange, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ComsLimits>;
}

/** The kernel's queue of a busy owner is full: surely not sent, and worth another moment. */
const retryDelayMs = 20;

function failure(code: SendFailure['code'], sent: SendFailure['sent'], message: string): SendFailure {
  return { ok: false, code, sent, message };
}

function judgeReply(incoming: IncomingReply, envelope: Envelope): SendOutcome {
  if (incoming.kind === 'fault')
    return failure('BAD_ANSWER', 'maybe', `the peer's answer: ${incoming.error}`);
  const { reply } = incoming;
  if (reply.type === 'nack') return failure('NACK', 'refused', reply.error);
  const wanted = envelope.type === 'ping' ? 'pong' : 'ack';
  if (reply.type !== wanted) {
    return failure('BAD_ANSWER', 'maybe', `the peer answered ${envelope.type} with ${reply.type}`);
  }
  if (reply.msg_id !== envelope.msg_id) {
    return failure('BAD_ANSWER', 'maybe', `the peer answered for msg_id ${JSON.stringify(reply.msg_id)}`);
  }
  return { ok: true, reply };
}

interface Exchange {
  readonly path: string;
  readonly line: string;
  readonly envelope: Envelope;
  readonly limits: ComsLimits;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** One connection attempt and its answer; `'again'` where the line surely never left. */
function attempt(exchange: Exchange): Promise<SendOutcome | 'again'> {
  const { path, line, envelope, limits, deadline, signal } = exchange;
  return new Promise((resolve) => {
    const reader = createReplyReader(limits);
    const socket = connect({ path });
    let connected = false;
    const done = (outcome: SendOutcome | 'again'): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(outcome);
    };
    const onAbort = (): void => done(failure('ABORTED', connected ? 'maybe' : 'no', 'ended by the caller'));
    const timer = setTimeout(
      () =>
        connected
          ? done(failure('NO_ANSWER', 'maybe', 'the peer took the connection and did not answer in time'))
          : done(failure('CONNECT_FAILED', 'no', 'the peer did not take the connection in time')),
      Math.max(0, deadline - Date.now()),
    );
    signal?.addEventListener('abort', onAbort);
    socket.once('connect', () => {
      connected = true;
      socket.write(line);
    });
    socket.on('data', (chunk: Buffer) => {
      const first = reader.push(chunk)[0];
      if (first !== undefined) done(judgeReply(first, envelope));
    });
    socket.once('end', () => {
      const last = reader.end()[0];
      if (last !== undefined) done(judgeReply(last, envelope));
      else done(failure('NO_ANSWER', 'maybe', 'the peer closed the connection without an answer'));
    });
    socket.on('error', (error) => {
      const code = systemCode(error);
      if (connected) done(failure('NO_ANSWER', 'maybe', `the connection broke before an answer (${code})`));
      else if (isDeadCode(code)) done(failure('PEER_DEAD', 'no', `nobody listens on ${path}`));
      else if (code === 'EAGAIN') done('again');
      else done(failure('CONNECT_FAILED', 'no', `cannot connect to ${path} (${code})`));
    });
  });
}

/**
 * Sends one envelope and gives the peer's ack or pong (04 Wire). Connects only inside the coms `sockets` folder.
 * Never rejects.
 */
export async function send(
  coms: Coms,
  to: { readonly endpoint: string; readonly envelope: Envelope },
  options: SendOptions = {},
): Promise<SendOutcome> {
  const limits = { ...defaultLimits, ...options.limits };
  const encoded = encodeLine(to.envelope, limits.lineUnitsMax);
  if (!encoded.ok) {
    const excess = `the envelope takes ${encoded.units} UTF-16 code units, a line holds at most ${encoded.unitsMax}`;
    return failure('LINE_TOO_LARGE', 'no', excess);
  }
  const judged = judgeEndpoint(coms, to.endpoint);
  if (!judged.ok) return failure(judged.code, 'no', judged.message);
  const deadline = Date.now() + (options.timeoutMs ?? limits.ackTimeoutMs);
  const { signal } = options;
  for (;;) {
    if (signal?.aborted === true) return failure('ABORTED', 'no', 'ended by the caller');
    const outcome = await attempt({
      path: judged.path,
      line: encoded.line,
      envelope: to.envelope,
      limits,
      deadline,
      signal,
    });
    if (outcome !== 'again') return outcome;
    if (Date.now() >= deadline)
      return failure('CONNECT_FAILED', 'no', 'the peer has too many connections waiting');
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  }
}
