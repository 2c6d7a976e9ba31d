/** Every bound of the daemon, in one place; those of texts, answers and lines are `@x/bridge`'s. */
export const daemonLimits = {
  /** Open questions at once; one more is nacked. */
  openQuestions: 20_000,
  /** Transport processes running at once. */
  transportRuns: 4,
  /** How long a new run gives way to prompts that wait for their ack. */
  giveWayMs: 25,
  /** A transport run is ended after this and counts as a delivery error. `HERMES_SEND_TIMEOUT_MS` changes it. */
  transportRunMs: 20_000,
  /** Between asking a process group to end and ending it. */
  killGraceMs: 2_000,
  /** How long the process that starts programs may take to go when the daemon ends. */
  workerGoneMs: 500,
  /** What is kept of a transport's error output. */
  stderrBytes: 8_192,
  /** A note to the person is tried this often. */
  noteAttempts: 3,
  /** One that cannot reach its channel at all is tried again after this, for as long as it takes. */
  noteLaterMs: 15_000,
  /** Responses under way at once, in all and to one endpoint: an asker that never acks holds up nobody else. */
  responds: 128,
  respondsPerEndpoint: 4,
  /** How long an asker may take to ack. */
  ackMs: 5_000,
  /** Attempts made even where the deadline has passed. */
  respondAttemptsMin: 3,
  backoffFirstMs: 100,
  backoffMs: 15_000,
  /** How long what was done may wait to be struck off together with what is about to be. */
  saveMs: 50,
  /** How long a small change to an open question may wait for its sync, and how long is quiet. */
  syncMs: 1_000,
  /** How long a new question may be in the journal alone; it gets its file before its message is sent. */
  fileMs: 250,
  /** Above this size the journal makes its records reach the disk also while there is work; else when there is none. */
  journalBytes: 16_777_216,
  /** A write that failed is tried again after this. */
  storeRetryMs: 1_000,
  /** Files of the questions folder looked at in one pass. */
  entriesPerPass: 20_000,
  /** Of these so many at once: each accepted one waits for the disk. */
  looksAtOnce: 64,
  /** The contract log is rotated above this size; so many rotated files are kept. */
  logBytes: 10_485_760,
  rotatedLogs: 10,
  /** A rotation lock older than this was left behind by a kill. */
  logLockMs: 10_000,
  /** How often old records are looked for. */
  housekeepingMs: 3_600_000,
  /** How long another daemon's life is taken as known. */
  livenessMs: 2_000,
  probeMs: 1_000,
  /** After a start, deadlines wait so long for what was said to the channel meanwhile; and how often that is looked at. */
  catchUpMs: 10_000,
  catchUpLookMs: 250,
  /** A deadline judged later than this was slept through. */
  sleptMs: 2_000,
  /** A shutdown that takes longer is cut off. */
  shutdownMs: 5_000,
  /** How long runs under way may finish at shutdown. */
  drainMs: 1_500,
} as const;
