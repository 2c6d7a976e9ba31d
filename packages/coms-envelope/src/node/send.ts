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
import { startDeadline } from './deadlines.ts';
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

/** Nearly every answer is these very bytes; knowing them spares the parsing, which is a tenth of a round trip. */
function isPlainAck(chunk: Buffer, envelope: Envelope): boolean {
  if (envelope.type === 'ping') return false;
  const ack = `{"type":"ack","msg_id":${JSON.stringify(envelope.msg_id)}}\n`;
  // Beyond ASCII the two differ, and the parser decides.
  return chunk.length === ack.length && chunk.toString('latin1') === ack;
}

interface Exchange {
  readonly path: string;
  readonly line: string;
  readonly envelope: Envelope;
  readonly limits: ComsLimits;
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One connection attempt; another one where the line surely never left because the peer's queue was full. */
function attempt(exchange: Exchange, resolve: (outcome: SendOutcome) => void): void {
  const { path, line, envelope, limits, deadlineMs, signal } = exchange;
  const socket = connect({ path });
  let reader: ReturnType<typeof createReplyReader> | undefined;
  let connected = false;
  const stop = (): void => {
    endDeadline();
    signal?.removeEventListener('abort', onAbort);
    socket.destroy();
  };
  const done = (outcome: SendOutcome): void => {
    stop();
    resolve(outcome);
  };
  const onAbort = (): void => done(failure('ABORTED', connected ? 'maybe' : 'no', 'ended by the caller'));
  const endDeadline = startDeadline(deadlineMs, () =>
    connected
      ? done(failure('NO_ANSWER', 'maybe', 'the peer took the connection and did not answer in time'))
      : done(failure('CONNECT_FAILED', 'no', 'the peer did not take the connection in time')),
  );
  signal?.addEventListener('abort', onAbort);
  socket.once('connect', () => {
    connected = true;
    socket.write(line);
  });
  socket.on('data', (chunk: Buffer) => {
    if (reader === undefined && isPlainAck(chunk, envelope)) {
      return done({ ok: true, reply: { type: 'ack', msg_id: envelope.msg_id } });
    }
    reader ??= createReplyReader(limits);
    const first = reader.push(chunk)[0];
    if (first !== undefined) done(judgeReply(first, envelope));
  });
  socket.once('end', () => {
    const last = reader?.end()[0];
    if (last !== undefined) done(judgeReply(last, envelope));
    else done(failure('NO_ANSWER', 'maybe', 'the peer closed the connection without an answer'));
  });
  socket.on('error', (error) => {
    const code = systemCode(error);
    if (connected)
      return done(failure('NO_ANSWER', 'maybe', `the connection broke before an answer (${code})`));
    if (isDeadCode(code)) return done(failure('PEER_DEAD', 'no', `nobody listens on ${path}`));
    if (code !== 'EAGAIN')
      return done(failure('CONNECT_FAILED', 'no', `cannot connect to ${path} (${code})`));
    stop();
    tryAgain(exchange, resolve);
  });
}

function tryAgain(exchange: Exchange, resolve: (outcome: SendOutcome) => void): void {
  setTimeout(() => {
    if (exchange.signal?.aborted === true) resolve(failure('ABORTED', 'no', 'ended by the caller'));
    else if (performance.now() < exchange.deadlineMs) attempt(exchange, resolve);
    else resolve(failure('CONNECT_FAILED', 'no', 'the peer has too many connections waiting'));
  }, retryDelayMs);
}

/**
 * Sends one envelope and gives the peer's ack or pong (04 Wire). Connects only inside the coms `sockets` folder.
 * Never rejects.
 */
export function send(
  coms: Coms,
  to: { readonly endpoint: string; readonly envelope: Envelope },
  options: SendOptions = {},
): Promise<SendOutcome> {
  const { signal } = options;
  const limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
  const encoded = encodeLine(to.envelope, limits.lineUnitsMax);
  if (!encoded.ok) {
    const excess = `the envelope takes ${encoded.units} UTF-16 code units, a line holds at most ${encoded.unitsMax}`;
    return Promise.resolve(failure('LINE_TOO_LARGE', 'no', excess));
  }
  const judged = judgeEndpoint(coms, to.endpoint);
  if (!judged.ok) return Promise.resolve(failure(judged.code, 'no', judged.message));
  if (signal?.aborted === true) return Promise.resolve(failure('ABORTED', 'no', 'ended by the caller'));
  const deadlineMs = performance.now() + (options.timeoutMs ?? limits.ackTimeoutMs);
  const { line } = encoded;
  return new Promise((resolve) => {
    attempt({ path: judged.path, line, envelope: to.envelope, limits, deadlineMs, signal }, resolve);
  });
}
