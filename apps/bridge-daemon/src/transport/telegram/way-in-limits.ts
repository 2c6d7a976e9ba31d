/** Bounds of the way in. Those of the way out are `telegramLimits`. */
export const wayInLimits = {
  /** How long the server may hold a poll when nothing is said, and how long the client then still waits. */
  pollSeconds: 25,
  pollSlackMs: 15_000,
  /** Updates of one poll. */
  updatesPerPoll: 100,
  /** One message or edit of the way in. */
  requestMs: 20_000,
  /** How long a flood may be waited out within it. */
  floodMs: 60_000,
  /** Between polls, writes and texts that failed: doubled from the first to the last. */
  backoffFirstMs: 1_000,
  backoffMs: 30_000,
  /** An update that cannot be handled is tried this often, then set aside. */
  handleAttempts: 3,
  handleRetryMs: 100,
  /** Ids of updates that are remembered, so that one that comes again changes nothing. */
  recentIds: 200,
  /** Telegram may start anew with its ids after a week of silence: a day before that the old count is no longer used. */
  idsCountMs: 518_400_000,
  /** An id further below the count than this is not an old one, but one of another count. */
  idsBehind: 10_000,
  /** A message of at least so many units may go on in the next one, and waits so long for it. */
  longUnits: 4_000,
  joinMs: 2_000,
  /** How long it waits for updates that are not fetched yet, from a start or from the first failure. */
  joinBlindMs: 10_000,
  /** Pieces of one answer: with 4,096 units each it stays below the size of an answer file. */
  pieces: 60,
  /** Bare texts that wait for their question. */
  drafts: 200,
  draftUnits: 1_000_000,
  draftMs: 86_400_000,
  /** Questions in one list, each with a button. */
  listed: 20,
  /** Messages whose edit is understood, presses whose repeat is, albums that were answered once. */
  heardMessages: 1_000,
  presses: 200,
  albums: 50,
  /** Answers that wait for their place in the questions folder, or there for their daemon. */
  answers: 1_000,
  answerUnits: 8_000_000,
  /** Texts that wait to be sent, cancels that wait to be done. */
  texts: 200,
  cancels: 200,
  /** A text is not sent any more after this; one of unknown fate is tried so often. */
  textMs: 3_600_000,
  textAttempts: 3,
  /** What was done may wait so long to be struck off together with what is done next. */
  saveMs: 1_000,
  /** How long work that was ended may take to end. */
  endMs: 1_000,
  /** A state file above this is not ours. */
  stateBytes: 67_108_864,
} as const;
