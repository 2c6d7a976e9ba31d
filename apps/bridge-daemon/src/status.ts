/** What `bridge-daemon status` tells: it travels as an extra field of the pong's agent card (05 The daemon). */
import * as z from 'zod';

export const bridgeCardSchema = z.object({
  transport: z.string(),
  state: z.enum(['ok', 'degraded']),
  reason: z.string().nullable(),
  /** ISO time; null while `ok`. */
  since: z.string().nullable(),
  open_questions: z.number(),
  undelivered: z.number(),
  undelivered_dir: z.string(),
  /** Seconds since the last completed poll of the questions folder. */
  last_poll_s: z.number(),
  /** Seconds since Telegram last answered a poll; null before it did, and for other transports. */
  telegram_poll_s: z.number().nullable().default(null),
});
export type BridgeCard = z.infer<typeof bridgeCardSchema>;

export interface Trouble {
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The trouble that began first is the one that is told. */
export const firstTrouble = (troubles: readonly (Trouble | null)[]): Trouble | null =>
  troubles.reduce<Trouble | null>(
    (first, trouble) =>
      trouble !== null && (first === null || trouble.since < first.since) ? trouble : first,
    null,
  );
