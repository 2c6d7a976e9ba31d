/**
 * Prompts of ours that wait for their response (04 Wire: it comes over a new connection).
 *
 * Q1 A request waits before its prompt is sent: a response may be there before the ack.
 * Q2 A response is acked after `keep` has settled, and handed to its request once.
 */
import type { OutgoingPrompt, Response } from '../envelope.ts';
import { accepted, type Verdict } from '../inbox.ts';
import type { ComsLimits } from '../limits.ts';
import { responseError } from '../prompt-details.ts';
import type { Coms } from './coms-folder.ts';
import { send, type SendFailure } from './send.ts';
import { setLongTimer } from './long-timer.ts';

export interface RequestOptions {
  /** How long the response is waited for after the ack, in milliseconds; the coms settings' by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called when the prompt has been acked. */
  readonly onAck?: () => void;
  /** Runs before the response is acked: what must survive a crash is done here. A refusal is the sender's nack. */
  readonly keep?: (response: Response) => Verdict | Promise<Verdict>;
}

/**
 * - `ok` an answer came.
 * - `PEER_ERROR` the response carries an error; `message` is its text.
 * - `RESPONSE_TIMEOUT` the prompt was acked, and no response came in time; `message` is `timeout after <ms>ms`.
 * - `ABORTED` the caller's signal ended it; `TOO_MANY_REQUESTS`, `ALREADY_OPEN` it was not sent.
 * - the codes of `SendFailure` the prompt was not acked.
 */
export type RequestOutcome =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly code: 'PEER_ERROR'; readonly message: string; readonly response: Response }
  | {
      readonly ok: false;
      readonly code: 'RESPONSE_TIMEOUT' | 'TOO_MANY_REQUESTS' | 'ALREADY_OPEN';
      readonly message: string;
    }
  | SendFailure;

interface OpenRequest {
  readonly keep: NonNullable<RequestOptions['keep']>;
  readonly settle: (response: Response) => void;
}

export interface Requests {
  /** Gives a response to the request that waits for it; null where none does. */
  take(response: Response): Promise<Verdict> | null;
  request(endpoint: string, prompt: OutgoingPrompt, options: RequestOptions): Promise<RequestOutcome>;
  readonly open: number;
}

function outcomeOf(response: Response): RequestOutcome {
  const message = responseError(response);
  return message === undefined
    ? { ok: true, response }
    : { ok: false, code: 'PEER_ERROR', message, response };
}

/** The first of: the response, the time limit, the caller's signal. */
function waitFor(
  arrived: Promise<Response>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<RequestOutcome> {
  return new Promise((resolve) => {
    const done = (outcome: RequestOutcome): void => {
      timer.clear();
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onAbort = (): void =>
      done({ ok: false, code: 'ABORTED', sent: 'maybe', message: 'ended by the caller' });
    const timer = setLongTimer(timeoutMs, () =>
      done({ ok: false, code: 'RESPONSE_TIMEOUT', message: `timeout after ${timeoutMs}ms` }),
    );
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort);
    void arrived.then((response) => done(outcomeOf(response)));
  });
}

export function createRequests(coms: Coms, limits: ComsLimits): Requests {
  const open = new Map<string, OpenRequest>();

  async function keepAndSettle(request: OpenRequest, response: Response): Promise<Verdict> {
    const verdict = await request.keep(response);
    if (verdict.ok) request.settle(response);
    return verdict;
  }

  return {
    get open() {
      return open.size;
    },
    take(response) {
      const request = open.get(response.msg_id);
      return request === undefined ? null : keepAndSettle(request, response);
    },
    async request(endpoint, prompt, options) {
      const { timeoutMs = coms.replyTimeoutMs, signal, onAck, keep = () => accepted } = options;
      if (open.has(prompt.msg_id)) {
        return { ok: false, code: 'ALREADY_OPEN', message: `a request with msg_id ${prompt.msg_id} is open` };
      }
      if (open.size >= limits.openRequestsMax) {
        return {
          ok: false,
          code: 'TOO_MANY_REQUESTS',
          message: `${open.size} requests are open, the most there may be`,
        };
      }
      const arrived = new Promise<Response>((settle) => open.set(prompt.msg_id, { keep, settle }));
      try {
        const sent = await send(
          coms,
          { endpoint, envelope: prompt },
          { limits, ...(signal === undefined ? {} : { signal }) },
        );
        if (!sent.ok && sent.code !== 'NO_ANSWER') return sent;
        if (!sent.ok) {
          // The peer may have taken the prompt, or even have answered it, before its ack was lost.
          const early = await Promise.race([arrived, Promise.resolve(null)]);
          return early === null ? sent : outcomeOf(early);
        }
        onAck?.();
        return await waitFor(arrived, { timeoutMs, signal });
      } finally {
        open.delete(prompt.msg_id);
      }
    },
  };
}
