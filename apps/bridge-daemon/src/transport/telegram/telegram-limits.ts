/** Bounds of the way out. Those of texts are `@x/bridge`'s, those of Telegram itself stand where they are obeyed. */
export const telegramLimits = {
  /** One request of the way out; after this nobody knows whether it was carried out. */
  requestMs: 10_000,
  /** A full poll of long messages is far below this. */
  answerBytes: 33_554_432,
  /** How long a server that is not reached is tried for one message. */
  reachMs: 20_000,
  /** Between two such tries. */
  reachFirstMs: 250,
  reachPauseMs: 5_000,
  /** How long floods may be waited out for one message. A longer wait is told at once. */
  floodMs: 180_000,
  /** The same for a change or a note, which can be made later. */
  briefFloodMs: 3_000,
  /** After a note that could not be made, no other is tried for so long. */
  noteQuietMs: 10_000,
  /** The first look at the token, at a start. */
  getMeMs: 5_000,
  /** Buttons that Telegram takes under one message. */
  buttons: 100,
  /** What stands on one button, and on all of a message: a keyboard of more than about 10 KB is refused. */
  buttonUnits: 40,
  keyboardUnits: 2_400,
  /** Messages that one question may take. */
  parts: 99,
  /** What of an answer is shown in the question's message; the person's own words stand below it. */
  shownAnswerUnits: 400,
  /** Questions remembered by number and by age; open ones stay whatever their age. */
  bookedQuestions: 10_000,
  bookedMs: 2_592_000_000,
  /** A file of the book is far below this. */
  bookBytes: 1_048_576,
  /** How long another holder of the token may take to say who it is. */
  lockAnswerMs: 1_000,
  lockBytes: 4_096,
} as const;
