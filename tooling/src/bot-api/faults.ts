/** What the test server can be told to do with a request instead of, before or after answering it. */

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
  /** Closes the connection before anything is done. */
  | { readonly fault: 'drop_before' }
  /** Does what is asked, then closes the connection without an answer. */
  | { readonly fault: 'drop_after' }
  /** Does nothing and never answers; the client must give up by itself. */
  | { readonly fault: 'never_answer' }
  /** Does what is asked and never answers. */
  | { readonly fault: 'never_answer_after' }
  /** Answers with a proxy's page that is no JSON, such as a 502. */
  | { readonly fault: 'page'; readonly code: number };

export interface ErrorParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

export function tooManyRequests(seconds: number): Fault {
  const description = `Too Many Requests: retry after ${seconds}`;
  return { fault: 'refuse', code: 429, description, parameters: { retry_after: seconds } };
}

/** Faults a method, taken in order; `*` stands for every method that has none of its own. */
export interface FaultPlan {
  add(method: string, ...faults: readonly Fault[]): void;
  /** Decided anew for each request, when no fault is queued. */
  decide(chooser: ((method: string) => Fault | null) | null): void;
  take(method: string): Fault | null;
  clear(): void;
}

export function createFaultPlan(): FaultPlan {
  const queues = new Map<string, Fault[]>();
  let chooser: ((method: string) => Fault | null) | null = null;
  return {
    add: (method, ...faults) => {
      queues.set(method, [...(queues.get(method) ?? []), ...faults]);
    },
    decide: (given) => {
      chooser = given;
    },
    take: (method) => queues.get(method)?.shift() ?? queues.get('*')?.shift() ?? chooser?.(method) ?? null,
    clear: () => {
      queues.clear();
      chooser = null;
    },
  };
}
