/** The port in memory: delivers at once, or as told, and remembers what it was given. */
import type {
  Delivery,
  PutNote,
  PutQuestion,
  QuestionTransport,
} from '../../src/transport/question-transport.ts';

export interface MemoryTransport extends QuestionTransport {
  readonly questions: PutQuestion[];
  readonly notes: PutNote[];
}

export const createMemoryTransport = (
  how: { readonly deliver?: () => Promise<Delivery>; readonly refusal?: string } = {},
): MemoryTransport => {
  const { deliver = () => Promise.resolve<Delivery>({ code: 'delivered', messageIds: [] }), refusal = null } =
    how;
  const questions: PutQuestion[] = [];
  const notes: PutNote[] = [];
  let last: Delivery = { code: 'delivered', messageIds: [] };
  let since = 0;
  let closed = false;
  const attempt = async (): Promise<Delivery> => {
    if (closed) return { code: 'aborted' };
    const delivery = await deliver();
    const wasWell = last.code === 'delivered';
    last = delivery;
    if (wasWell) since = Date.now();
    return last;
  };
  return {
    name: 'memory',
    questions,
    notes,
    refusal: () => refusal,
    deliver: (put) => {
      questions.push(put);
      return attempt();
    },
    note: (put) => {
      notes.push(put);
      return attempt();
    },
    health: () =>
      last.code === 'refused' || last.code === 'unknown'
        ? { state: 'degraded', reason: last.message, since }
        : { state: 'ok' },
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
};
