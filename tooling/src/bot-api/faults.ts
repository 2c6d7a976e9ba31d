/** What the test server can be told to do with a request instead of, before or after answering it. */
import type { CallParameters } from './answer.ts';

export type Fault =
  /** Refuses with this code, as the Bot API words it; nothing has been done. */
  | {
      readonly fault: 'refuse';
      readonly code: number;
      readonly description: string;
      readonly parameters?: ErrorParameters;
    }
  /** Waits, then answers as if nothing were. */
  | { readonly fault: 'delay'; readonly ms: number }
  /** Does what is asked at once, and answers only after this time. */
  | { readonly fault: 'delay_answer'; readonly ms: number }
  /** Closes the connection before anything is done. */
  | { readonly fault: 'drop_before' }
  /** Does what is asked, then closes the connection without an answer. */
  | { readonly fault: 'drop_after' }
  /** Does what is asked, sends half of the answer, then closes the connection. */
  | { readonly fault: 'drop_in_answer' }
  /** Does nothing and never answers; the client must give up by itself. */
  | { readonly fault: 'never_answer' }
  /** Does what is asked and never answers. */
  | { readonly fault: 'never_answer_after' }
  /** Answers with a proxy's page that is no JSON, such as a 502; nothing has been done. */
  | { readonly fault: 'page'; readonly code: number }
  /** Does what is asked, and a proxy's page comes back all the same. */
  | { readonly fault: 'page_after'; readonly code: number }
  /** Hands confirmed updates out again, then answers. */
  | { readonly fault: 'redeliver'; readonly count: number }
  /** The group becomes a supergroup at this moment; the request meets the old one. */
  | { readonly fault: 'migrate'; readonly from: number; readonly to: number };

export interface ErrorParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

export const refusal = (code: number, description: string): Fault => ({ fault: 'refuse', code, description });

export function tooManyRequests(seconds: number): Fault {
  const description = `Too Many Requests: retry after ${seconds}`;
  return { fault: 'refuse', code: 429, description, parameters: { retry_after: seconds } };
}

/** In the words of the real server. */
export const unauthorized = refusal(401, 'Unauthorized');
export const notFound = refusal(404, 'Not Found');
export const blocked = refusal(403, 'Forbidden: bot was blocked by the user');
export const conflict = refusal(
  409,
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
);
export const badGateway: Fault = { fault: 'page', code: 502 };

/** Chosen anew for each request; null: it is answered as it should be. */
export type Chooser = (method: string, parameters: CallParameters) => Fault | null;

/** Faults a method, taken in order; `*` stands for every method that has none of its own. */
export interface FaultPlan {
  add(method: string, ...faults: readonly Fault[]): void;
  /** Decided anew for each request, when no fault is queued. */
  decide(chooser: Chooser | null): void;
  take(method: string, parameters?: CallParameters): Fault | null;
  clear(): void;
}

export function createFaultPlan(): FaultPlan {
  const queues = new Map<string, Fault[]>();
  let chooser: Chooser | null = null;
  return {
    add: (method, ...faults) => {
      queues.set(method, [...(queues.get(method) ?? []), ...faults]);
    },
    decide: (given) => {
      chooser = given;
    },
    take: (method, parameters = {}) =>
      queues.get(method)?.shift() ?? queues.get('*')?.shift() ?? chooser?.(method, parameters) ?? null,
    clear: () => {
      queues.clear();
      chooser = null;
    },
  };
}
