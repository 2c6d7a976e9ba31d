/**
 * Whether what people said is still on its way: then no deadline is judged, within bounds. At a start it is what was said
 * while no daemon ran; after the machine has slept, or the daemon was stopped, what was said meanwhile (05: one dated in
 * time counts).
 */
import { daemonLimits } from '../limits.ts';

export interface CatchUp {
  isUnderWay(): boolean;
  /** Begins one that ends when `heard` settles, or after `daemonLimits.catchUpMs`. */
  await(heard: Promise<void>): void;
  /** To be told of a deadline (milliseconds since 1970) that is being judged: one that was slept through begins one. */
  afterSleep(deadline: number): void;
  close(): void;
}

interface CatchUpParts {
  /** Milliseconds since the channel last told what people say; null where it never did, or tells nothing by itself. */
  readonly sinceHeardMs: () => number | null;
  readonly now: () => number;
}

export const createCatchUp = ({ sinceHeardMs, now }: CatchUpParts): CatchUp => {
  let underWay = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let bound: NodeJS.Timeout | undefined;
  let look: NodeJS.Timeout | undefined;

  const end = (): void => {
    clearTimeout(bound);
    clearTimeout(look);
    underWay = false;
    endedAt = now();
  };

  const begin = (): void => {
    underWay = true;
    bound = setTimeout(end, daemonLimits.catchUpMs);
  };

  const endWhenHeardSince = (began: number): void => {
    const since = sinceHeardMs();
    if (since !== null && since < performance.now() - began) end();
    else look = setTimeout(() => endWhenHeardSince(began), daemonLimits.catchUpLookMs);
  };

  return {
    isUnderWay: () => underWay,
    await: (heard) => {
      begin();
      void heard.then(end);
    },
    afterSleep: (deadline) => {
      if (underWay || sinceHeardMs() === null) return;
      if (now() - Math.max(deadline, endedAt) <= daemonLimits.sleptMs) return;
      begin();
      look = setTimeout(endWhenHeardSince, daemonLimits.catchUpLookMs, performance.now());
    },
    close: end,
  };
};
