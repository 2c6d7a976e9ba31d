/**
 * Time limits of exchanges that nearly always end in time: one timer for all of them.
 *
 * A timer of its own costs every exchange more than its encoding does; here starting and ending one is a set's work.
 * The price is precision: a limit is noticed up to `sweepMs` late.
 */
const sweepMs = 20;

interface Limit {
  readonly atMs: number;
  readonly expire: () => void;
}

const limits = new Set<Limit>();
let timer: NodeJS.Timeout | undefined;

function sweep(): void {
  const now = performance.now();
  for (const limit of limits) {
    if (limit.atMs > now) continue;
    limits.delete(limit);
    limit.expire();
  }
  if (limits.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/**
 * Calls `expire` once, when `performance.now()` has passed `atMs`, unless the returned function is called before.
 * Keeps no process alive: the socket that is waited for does.
 */
export function startDeadline(atMs: number, expire: () => void): () => void {
  const limit: Limit = { atMs, expire };
  limits.add(limit);
  timer ??= setInterval(sweep, sweepMs).unref();
  return () => void limits.delete(limit);
}
