/** Bounds of the way out. Those of texts are `@x/bridge`'s, those of Telegram itself stand where they are obeyed. */
export const telegramLimits = {
  /** One request of the way out; after this nobody knows whether it was carried out. */
  requestMs: 20_000,
  /** How long a server that is not reached is tried for one message. */
  reachMs: 20_000,
  /** Between two such tries. */
  reachFirstMs: 250,
  reachPauseMs: 5_000,
  /** How long floods may be waited out for one message. A longer wait is told at once. */
  floodMs: 180_000,
  /** The first look at the token, at a start. */
  getMeMs: 5_000,
  /** Buttons that Telegram takes under one message, and what of a title stands on one. */
  buttons: 100,
  buttonUnits: 64,
  /** Options that a question may have here at all: more fill a hundred messages. */
  parts: 100,
  /** Questions remembered by number and by age; open ones stay whatever their age. */
  bookedQuestions: 10_000,
  bookedMs: 2_592_000_000,
  /** A file of the book is far below this. */
  bookBytes: 1_048_576,
  /** How long another holder of the token may take to say who it is. */
  lockAnswerMs: 1_000,
  lockBytes: 4_096,
} as const;
