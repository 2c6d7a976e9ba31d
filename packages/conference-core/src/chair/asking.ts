/**
 * One question at a time, asked beside the loop: while a person thinks, results and timeouts are still booked
 * (01 Asking). A question that is no longer pending is taken back.
 */
import type { Decision, DecisionOption } from '@x/protocol';
import type { Asker } from './ports.ts';

export interface Asking {
  /** Starts asking, or gives the answer once it is there. Null: none yet, or nobody can give one. */
  about(decision: Decision): DecisionOption | null;
  /** Whether somebody is still thinking about this decision. */
  isOpen(decisionId: string): boolean;
  stop(): void;
}

interface Open {
  readonly id: string;
  readonly abort: AbortController;
  /** Undefined while somebody thinks, null when nobody can answer. */
  answer: DecisionOption | null | undefined;
}

/** `wake` is called when an answer came, or nobody can give one. */
export function createAsking(asker: Asker, wake: () => void): Asking {
  let open: Open | null = null;
  const stop = (): void => {
    open?.abort.abort();
    open = null;
  };
  const begin = (decision: Decision): Open => {
    const asked: Open = { id: decision.decision_id, abort: new AbortController(), answer: undefined };
    const settle = (answer: DecisionOption | null): void => {
      asked.answer = answer;
      wake();
    };
    // An asker that breaks is one that cannot answer: the decision stays pending and is said at the end.
    asker.ask(decision, asked.abort.signal).then(settle, () => settle(null));
    return asked;
  };
  return {
    about: (decision) => {
      if (open?.id !== decision.decision_id) {
        stop();
        open = begin(decision);
      }
      return open.answer ?? null;
    },
    isOpen: (decisionId) => open?.id === decisionId && open.answer === undefined,
    stop,
  };
}
