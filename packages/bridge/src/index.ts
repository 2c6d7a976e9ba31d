export {
  answerFileName,
  answerFileQid,
  answerSchema,
  answerSuffix,
  judgeAnswerFile,
  rejectionReasons,
  type Answer,
  type AnswerCandidate,
  type AnswerContent,
  type AnswerVerdict,
  type RejectionReason,
  type Standing,
} from './answer-file.ts';
export { askResponseSchema, mapAnswerToAskResponse, type AskResponse } from './answer-mapping.ts';
export { cutTo, graphemePrefix, wellFormed } from './cut.ts';
export { graceMs, questionTimeoutMs, timeoutError, type TimeoutSources } from './deadline.ts';
export { limits } from './limits.ts';
export { detailText, logEvents, logLine, logRecord, logRecordSchema, type LogRecord } from './log-record.ts';
export { noteKinds, sameOwed, type NoteKind, type Owed } from './owed.ts';
export { judgePrompt, type PromptJudgement } from './prompt.ts';
export { invalidQidError, parseQid, qidSchema, type Qid } from './qid.ts';
export {
  blockBreak,
  formatTelegramQuestion,
  questionPieces,
  titlesTooLongError,
  type QuestionMessage,
  type QuestionPieces,
  type QuestionText,
} from './question-text.ts';
export {
  optionSchema,
  questionOf,
  questionSchema,
  type AskedBy,
  type AskedText,
  type Question,
  type QuestionOption,
} from './question.ts';
export {
  placementOf,
  readRecord,
  recordSchema,
  recordParts,
  recordText,
  recordVersion,
  sameAsker,
  sameDaemon,
  type Asker,
  type Daemon,
  type Kept,
  type Outcome,
  type Placement,
  type QuestionRecord,
  type RecordParts,
  type RecordReading,
} from './record.ts';
export {
  answerResponse,
  errorResponse,
  responseEnvelopeSchema,
  type ReplyFrom,
  type ResponseEnvelope,
  type ResponseHead,
} from './response.ts';
export { type NewQuestion, type StepInput } from './step-input.ts';
export { step, type Stepped } from './step.ts';
export { english, locales, type Locale, type Texts } from './texts.ts';
export {
  isOpen,
  openStates,
  questionEvents,
  terminalStates,
  transition,
  transitions,
  type OpenState,
  type QuestionEvent,
  type QuestionState,
  type TerminalState,
  type Transition,
} from './transitions.ts';
