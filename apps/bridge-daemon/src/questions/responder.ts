/**
 * Brings outcomes to their askers: the same envelope, again and again with growing pauses, until it is acked or the
 * deadline of the question has passed (05 Nothing a person said is lost).
 *
 * P1 An asker that never acks holds up nobody else: few at once to one endpoint, and never all places.
 * P2 Where an asker has moved, its newest endpoint is tried.
 */
import type { Qid, QuestionRecord, ResponseEnvelope } from '@x/bridge';
import { newestEndpoint, send, type Coms } from '@x/coms-envelope/node';
import { daemonLimits } from '../limits.ts';
import type { Logger } from '../log/operational-log.ts';

export type RespondOutcome = 'acked' | 'unreachable' | 'closed';

export interface Responder {
  /** Settles when the asker has acked, or was tried until the deadline. Never rejects. */
  respond(qid: Qid): Promise<RespondOutcome>;
  /** The asker has shown itself: no more waiting for the next attempt. */
  wake(qid: Qid): void;
  close(): void;
}

interface ResponderParts {
  readonly coms: Coms;
  readonly log: Logger;
  readonly now: () => number;
  /** The question as it stands: its asker may have moved. */
  readonly record: (qid: Qid) => QuestionRecord | null;
}

const sendable = (record: QuestionRecord | null): ResponseEnvelope | null =>
  record?.owed.some((item) => item.do === 'respond') === true ? (record.outcome?.envelope ?? null) : null;

export const createResponder = (parts: ResponderParts): Responder => {
  const { coms, log, now } = parts;
  const ending = new AbortController();
  const perEndpoint = new Map<string, number>();
  const waiters = new Set<() => void>();
  const sleepers = new Map<Qid, () => void>();
  let under = 0;

  const enter = async (endpoint: string): Promise<void> => {
    while (
      under >= daemonLimits.responds ||
      (perEndpoint.get(endpoint) ?? 0) >= daemonLimits.respondsPerEndpoint
    )
      await new Promise<void>((resolve) => waiters.add(resolve));
    under += 1;
    perEndpoint.set(endpoint, (perEndpoint.get(endpoint) ?? 0) + 1);
  };

  const leave = (endpoint: string): void => {
    under -= 1;
    const left = (perEndpoint.get(endpoint) ?? 1) - 1;
    if (left === 0) perEndpoint.delete(endpoint);
    else perEndpoint.set(endpoint, left);
    for (const wakeUp of waiters) wakeUp();
    waiters.clear();
  };

  const attempt = async (endpoint: string, envelope: ResponseEnvelope): Promise<string | null> => {
    await enter(endpoint);
    try {
      const { signal } = ending;
      const sent = await send(
        coms,
        { endpoint, envelope: { ...envelope } },
        { timeoutMs: daemonLimits.ackMs, signal },
      );
      return sent.ok ? null : `${sent.code}: ${sent.message}`;
    } finally {
      leave(endpoint);
    }
  };

  /** Where the asker said it is, then where the registry has it now. Null: acked. */
  const tryEndpoints = async (record: QuestionRecord, envelope: ResponseEnvelope): Promise<string | null> => {
    const { asker } = record;
    const problem = await attempt(asker.endpoint, envelope);
    if (problem === null || asker.name === null) return problem;
    const newest = newestEndpoint(coms, { name: asker.name, project: asker.project, cwd: asker.cwd ?? '' });
    return newest === null || newest === asker.endpoint ? problem : attempt(newest, envelope);
  };

  const pause = (qid: Qid, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        sleepers.delete(qid);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms);
      sleepers.set(qid, wakeUp);
    });

  const pauseMs = (attempts: number, deadline: number): number => {
    const backoff = Math.min(
      daemonLimits.backoffMs,
      daemonLimits.backoffFirstMs * 2 ** Math.min(attempts - 1, 20),
    );
    const left = deadline - now();
    return left > 0 ? Math.min(backoff, left) : Math.min(backoff, daemonLimits.backoffFirstMs * 2);
  };

  const respond = async (qid: Qid): Promise<RespondOutcome> => {
    for (let attempts = 1; !ending.signal.aborted; attempts += 1) {
      const record = parts.record(qid);
      const envelope = sendable(record);
      if (record === null || envelope === null) return 'closed';
      const problem = await tryEndpoints(record, envelope);
      if (problem === null) return 'acked';
      if (ending.signal.aborted) break;
      const deadline = Date.parse(record.deadline);
      if (now() >= deadline && attempts >= daemonLimits.respondAttemptsMin) {
        log.warn({ qid, problem, attempts }, 'the asker could not be reached until the deadline');
        return 'unreachable';
      }
      log.debug({ qid, problem, attempts }, 'the asker could not be reached; it is tried again');
      await pause(qid, pauseMs(attempts, deadline));
    }
    return 'closed';
  };

  return {
    respond,
    wake: (qid) => sleepers.get(qid)?.(),
    close: () => {
      ending.abort();
      for (const wakeUp of sleepers.values()) wakeUp();
      for (const wakeUp of waiters) wakeUp();
    },
  };
};
