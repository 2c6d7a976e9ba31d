/** How long a question waits for its answer, and what is said when nobody gave one (source 004 Timeouts, 05). */
import { limits } from './limits.ts';

export interface TimeoutSources {
  /** `--timeout`, where given: bounds what a prompt asks for. */
  readonly flagMs: number | null;
  /** `PI_COMS_TIMEOUT_MS` as it stands in the environment. */
  readonly env: string | undefined;
  /** `reply_timeout_ms` of the prompt: replaces the default. */
  readonly promptMs: number | null;
}

const usable = (ms: number | null): number | null =>
  ms !== null && Number.isFinite(ms) && ms >= 1 ? Math.min(Math.floor(ms), limits.timeoutMs) : null;

const fromEnv = (env: string | undefined): number | null =>
  env !== undefined && /^\d+$/.test(env.trim()) ? usable(Number(env)) : null;

/** Gives whole milliseconds from 1 to `limits.timeoutMs`; what is unset or invalid counts as not there. */
export const questionTimeoutMs = ({ flagMs, env, promptMs }: TimeoutSources): number => {
  const flag = usable(flagMs);
  const wanted = usable(promptMs) ?? flag ?? fromEnv(env) ?? limits.defaultTimeoutMs;
  return flag === null ? wanted : Math.min(wanted, flag);
};

/** The error an asker gets when time is up; `response` is null with it. */
export const timeoutError = (timeoutMs: number): string => `no remote answer within ${timeoutMs}ms`;

/** How long a file that may be half-written is left alone from its first sighting (source 004 Answer-file). */
export const graceMs = (pollMs: number): number => Math.max(2 * pollMs, limits.graceMinMs);
