/** The limit of messages a chat: over it, Telegram says how many seconds to wait. */

export interface FloodLimit {
  readonly messagesMax: number;
  readonly perMs: number;
}

export interface FloodControl {
  /** From now on; null: no limit. */
  set(limit: FloodLimit | null): void;
  /** Counts one message, or gives the whole seconds until it could be sent. */
  take(key: string, nowMs: number): number;
}

export function createFloodControl(limit: FloodLimit | null): FloodControl {
  const sent = new Map<string, number[]>();
  let current = limit;
  return {
    set: (next) => {
      current = next;
      sent.clear();
    },
    take: (key, nowMs) => {
      if (current === null) return 0;
      const { messagesMax, perMs } = current;
      const recent = (sent.get(key) ?? []).filter((at) => at > nowMs - perMs);
      sent.set(key, recent);
      const [oldest] = recent;
      if (recent.length >= messagesMax && oldest !== undefined)
        return Math.max(1, Math.ceil((oldest + perMs - nowMs) / 1_000));
      recent.push(nowMs);
      return 0;
    },
  };
}
