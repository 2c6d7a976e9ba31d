/** One line of the contract log, `log.ndjson` (source 004 ndjson logging). */
import * as z from 'zod';
import { limits } from './limits.ts';
import { questionEvents } from './transitions.ts';

export const logEvents = [...questionEvents, 'answer_rejected'] as const;

/** `qid` is a plain string: a rejected file may carry a name that is none. */
export const logRecordSchema = z.object({
  at: z.string(),
  qid: z.string(),
  event: z.enum(logEvents),
  detail: z.unknown().optional(),
});
export type LogRecord = z.infer<typeof logRecordSchema>;

/** `now` in milliseconds since 1970. A `detail` of undefined leaves the key out. */
export const logRecord = (
  now: number,
  what: { readonly qid: string; readonly event: LogRecord['event'] },
  detail?: unknown,
): LogRecord => ({
  at: new Date(now).toISOString(),
  qid: what.qid,
  event: what.event,
  ...(detail === undefined ? {} : { detail }),
});

/** One line with its newline. JSON escapes line breaks, so a file name cannot start a line of its own. */
export const logLine = (record: LogRecord): string => `${JSON.stringify(record)}\n`;

/** A stranger's text, fit for a log line or an error: bounded, and cut where a pair ends. */
export const detailText = (text: string): string =>
  text.length <= limits.detailUnits
    ? text
    : `${text.slice(0, limits.detailUnits).replace(/[\uD800-\uDBFF]$/, '')}…`;
