/**
 * The ledger on a file system: opening, appending, one writer, readers without a lock, a content store, and writes that
 * stay inside a granted root. Linux and macOS.
 */
export { fileContentStore } from './content-store.ts';
export type { ContentFolder, ContentSurvey, FileContentStore } from './content-store.ts';
export type { TroubleKind } from './fault.ts';
export { followLedger, rewindRecordsMax } from './follow.ts';
export type { FollowItem, FollowOptions } from './follow.ts';
export { nodeSha256 } from './hash.ts';
export { lockFileName } from './kernel-lock.ts';
export type { AnnouncingLedger } from './file-ledger.ts';
export { inspectLock, lockFolder, lockWaitMsDefault } from './lock.ts';
export type { FolderLock, LockOptions } from './lock.ts';
export type { LockLabel } from './lock-file.ts';
export type { MendOptions, SetAside } from './mend.ts';
export { openLedger } from './open.ts';
export type { Opened, OpenOptions } from './open.ts';
export { readLedger, verifyLedger } from './read.ts';
export type { ReadItem, ReadOptions, Verified } from './read.ts';
export type { ScanOptions } from './scan.ts';
export { isTemporaryName } from './place.ts';
export type { RootedContent, Written } from './place.ts';
export { openGrantedRoot } from './rooted.ts';
export type { GrantedRoot, RootOptions, WriteRequest } from './rooted.ts';
export type { WriteRefused } from './write-refusal.ts';
