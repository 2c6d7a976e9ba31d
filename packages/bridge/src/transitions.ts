/**
 * The states of a question as a table, one row a transition of source 004 States, to be laid beside it line by line.
 * `null` is "no state": a qid nobody asked about, or one whose delivery failed.
 */
export const openStates = ['pending', 'delivered'] as const;
export const terminalStates = ['answered', 'cancelled', 'timeout'] as const;
export type OpenState = (typeof openStates)[number];
export type TerminalState = (typeof terminalStates)[number];
export type QuestionState = OpenState | TerminalState;

/** The contract's events, spelled as the log spells them. */
export const questionEvents = [
  'question_received',
  'delivered',
  'delivery_error',
  'answered',
  'cancelled',
  'timeout',
  'late_answer',
] as const;
export type QuestionEvent = (typeof questionEvents)[number];

export interface Transition {
  readonly from: QuestionState | null;
  readonly event: QuestionEvent;
  readonly to: QuestionState | null;
}

export const transitions: readonly Transition[] = [
  { from: null, event: 'question_received', to: 'pending' },
  { from: 'pending', event: 'delivered', to: 'delivered' },
  { from: 'pending', event: 'delivery_error', to: null },
  { from: 'pending', event: 'answered', to: 'answered' },
  { from: 'delivered', event: 'answered', to: 'answered' },
  { from: 'pending', event: 'cancelled', to: 'cancelled' },
  { from: 'delivered', event: 'cancelled', to: 'cancelled' },
  { from: 'pending', event: 'timeout', to: 'timeout' },
  { from: 'delivered', event: 'timeout', to: 'timeout' },
  { from: 'answered', event: 'late_answer', to: 'answered' },
  { from: 'cancelled', event: 'late_answer', to: 'cancelled' },
  { from: 'timeout', event: 'late_answer', to: 'timeout' },
];

/** Gives the row that applies, or null where the event changes nothing in that state. */
export const transition = (from: QuestionState | null, event: QuestionEvent): Transition | null =>
  transitions.find((row) => row.from === from && row.event === event) ?? null;

export const isOpen = (state: QuestionState | null): state is OpenState =>
  state === 'pending' || state === 'delivered';
