/**
 * An append-only, hash-chained ledger of JSON lines, without Node: lines, digests, verification over any byte stream,
 * a ledger in memory, and the checks of a grant. Files, locks and writes inside a root stand on `@x/ledger/node`.
 * It knows nothing of what its events mean.
 */
export { canonicalize, canonicalJson, depthMax } from './canonical.ts';
export type { Canonical, NotJson } from './canonical.ts';
export { createChainVerifier, verifyChain } from './chain.ts';
export type { ChainOptions, ChainReport, ChainVerifier, OnRecord, Tail } from './chain.ts';
export { memoryContentStore } from './content.ts';
export type { Content, ContentStore, Stored } from './content.ts';
export {
  asDigest,
  digestOf,
  digestOfJson,
  hexOf,
  isDigest,
  parseDigest,
  portableSha256,
  zeroDigest,
} from './digest.ts';
export type { Digest, Sha256Hex } from './digest.ts';
export { LedgerError } from './error.ts';
export type { LedgerErrorCode } from './error.ts';
export { checkGrant, checkWrite } from './grant.ts';
export type { CheckFailed, Grant, PlannedWrite, WriteCheck, WriteSituation } from './grant.ts';
export { createGroupCommit, groupEntriesMaxDefault } from './group-commit.ts';
export type { GroupCommit } from './group-commit.ts';
export { groupBytesMaxDefault } from './ledger.ts';
export type { AppendLimits, Appended, Ledger } from './ledger.ts';
export { encodeLine, eventCharsMax, lineBytesMaxDefault } from './line.ts';
export type { EncodedLine, NotEncodable } from './line.ts';
export type { LineFault, LineFaultKind } from './line-fault.ts';
export { isTimestamp } from './timestamp.ts';
export { isFault, verifyLine } from './verify-line.ts';
export type { Expected, LineCheck } from './verify-line.ts';
export { memoryLedger } from './memory-ledger.ts';
export type { MemoryLedger } from './memory-ledger.ts';
export { emptyHead, sameHead } from './record.ts';
export type { Entry, Head, LedgerRecord, Recorded } from './record.ts';
export type { LockHolder, RefusalCode, Refused } from './refusal.ts';
