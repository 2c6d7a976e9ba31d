/** Work on one key happens one at a time, in the order it came; different keys do not wait for each other. */
export interface Turns {
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Settles when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export const createTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: (key, work) => {
      const before = last.get(key);
      const mine = before === undefined ? work() : before.then(work, work);
      last.set(key, mine);
      const leave = (): void => {
        if (last.get(key) === mine) last.delete(key);
      };
      mine.then(leave, leave);
      return mine;
    },
    idle: async () => {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
};
