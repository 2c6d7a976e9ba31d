/**
 * One response a prompt: on the wire a response may come more than once, with the same bytes and `msg_id`.
 *
 * I1 The first response of a `msg_id` is handed on; every repeat is acked and not handed on.
 * I2 A response that was refused is not remembered: its sender may try again.
 * I3 At most `idsMax` ids are remembered; the oldest is forgotten first.
 */

/** What a handler makes of an envelope: acked, or nacked with this text. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** The verdict that acks. */
export const accepted: Verdict = { ok: true };

export interface Inbox {
  /**
   * Hands a message on unless its id was handed on before. Two arrivals at once share one handling.
   * Rejects only as `handle` does.
   */
  take(msgId: string, handle: () => Promise<Verdict>): Promise<Verdict>;
}

export function createInbox(idsMax: number): Inbox {
  const taken = new Set<string>();
  const open = new Map<string, Promise<Verdict>>();

  async function handleOnce(msgId: string, handle: () => Promise<Verdict>): Promise<Verdict> {
    const verdict = await handle();
    if (verdict.ok) {
      taken.add(msgId);
      for (const oldest of taken) {
        if (taken.size <= idsMax) break;
        taken.delete(oldest);
      }
    }
    return verdict;
  }

  return {
    async take(msgId, handle) {
      if (taken.has(msgId)) return accepted;
      const running = open.get(msgId) ?? handleOnce(msgId, handle);
      open.set(msgId, running);
      try {
        return await running;
      } finally {
        if (open.get(msgId) === running) open.delete(msgId);
      }
    },
  };
}
