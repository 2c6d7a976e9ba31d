/**
 * Every bound of the bridge's pure part, in one place: what a message, an answer, a line and a wait may measure.
 * Units stand in the names: `Units` are UTF-16 code units, `Bytes` are bytes on disk, `Ms` milliseconds.
 */
export const limits = {
  /** One message to a person (source 004 Telegram question format). */
  messageUnits: 4_096,
  /** One envelope line to an asker, the newline not counted (04 Wire). */
  lineUnits: 65_536,
  /** An answer file above this is never read whole (05 Nothing a person said is lost). */
  answerFileBytes: 1_048_576,
  /** Reply timeout where nothing names one (source 004 Timeouts). */
  defaultTimeoutMs: 1_800_000,
  /** The longest timeout that is taken: ten years, so that a deadline is always a date. */
  timeoutMs: 315_360_000_000,
  /** Shortest time a file that may be half-written is left alone (source 004 Answer-file). */
  graceMinMs: 1_000,
  /** A record of a daemon that is gone may be moved aside this long after its deadline. */
  abandonedAfterMs: 86_400_000,
  /** Closed questions kept, by number and by age. */
  closedRecords: 10_000,
  closedMs: 2_592_000_000,
  /** A stranger's text that goes into a log line or an error is cut to this. */
  detailUnits: 2_000,
} as const;
