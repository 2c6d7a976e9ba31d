/**
 * coms as pure code: envelopes, framing, names, registry entries. Sockets and files stand in `./node`.
 */
export {
  ackSchema,
  cancelSchema,
  nackSchema,
  pingSchema,
  pongSchema,
  promptSchema,
  responseSchema,
  type Ack,
  type AgentCard,
  type Cancel,
  type Envelope,
  type Nack,
  type OutgoingPrompt,
  type OutgoingResponse,
  type Ping,
  type Pong,
  type Prompt,
  type Reply,
  type Response,
} from './envelope.ts';
export { createLineReader, type Line, type LineReader } from './line-reader.ts';
export {
  createEnvelopeReader,
  createReplyReader,
  encodeLine,
  type Encoded,
  type Fault,
  type Incoming,
  type IncomingReply,
  type Reader,
} from './envelope-reader.ts';
export { promptDetails, responseError, type PromptDetails } from './prompt-details.ts';
export {
  readPromptText,
  writeQuestion,
  type PromptText,
  type Question,
  type QuestionOption,
} from './question.ts';
export { isPeerName, isProjectName, nameCandidate } from './name.ts';
export {
  entrySchema,
  isLive,
  readEntry,
  type EntryReading,
  type PidState,
  type RegistryEntry,
} from './entry.ts';
export {
  endpointOf,
  isAllowedEndpoint,
  isSessionId,
  socketPathBytesMax,
  socketPathExcess,
  type Platform,
} from './endpoint.ts';
export { accepted, createInbox, type Inbox, type Verdict } from './inbox.ts';
export { readSettings, type ComsSettings } from './settings.ts';
export {
  clockLeadMsMax,
  defaultLimits,
  entryBytesMax,
  heartbeatAgeMsMax,
  type ComsLimits,
} from './limits.ts';
