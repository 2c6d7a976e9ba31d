/**
 * What the Chair needs from outside, as ports; each has a contract suite in `./testing`.
 *
 * P1 Announced effects take a `Recorded` event, which only a durable append makes: nothing is sent before it stands.
 * P2 There is no wait-for-all: a host hands each result over as a message of its own (source 001 Capability gate).
 */
import type {
  Capability,
  Charter,
  ConferenceEvent,
  Decision,
  DecisionOption,
  Digest,
  DispatchId,
} from '@x/protocol';
import type { ConferenceMdUpdate } from '../artifacts/conference-md-update.ts';
import type { Command } from '../commands/command.ts';
import type { Planned } from '../state.ts';

export type { SecretFinding, SecretScanner } from '../packets/index.ts';

/** Where a ledger ends. `@x/ledger` gives it; the Chair only hands it back. */
export interface LedgerHead {
  readonly seq: number;
  readonly digest: string;
  readonly bytes: number;
  readonly timestamp: string | null;
}

/** A ledger that is open for appending: `@x/ledger` fits as it is. */
export interface LedgerPort {
  readonly head: LedgerHead;
  readonly durable: boolean;
  /** All or nothing, durable when it returns, or refused with nothing written. */
  append(expected: LedgerHead, entries: readonly ConferenceEvent[]): LedgerAppended | LedgerRefused;
  close(): Promise<void>;
}
export interface LedgerAppended {
  readonly status: 'appended';
  readonly records: readonly { readonly seq: number; readonly digest: string }[];
  readonly head: LedgerHead;
}
export interface LedgerRefused {
  readonly status: 'refused';
  readonly code: string;
  readonly message: string;
}

/** Bytes addressed by digest: `@x/ledger` content stores fit as they are. */
export interface ContentPort {
  /** Durable before it returns; twice is once. */
  put(bytes: Uint8Array): { readonly status: 'stored'; readonly digest: string } | ContentRefused;
  get(
    digest: Digest,
  ):
    | { readonly status: 'found'; readonly bytes: Uint8Array }
    | { readonly status: 'missing' }
    | { readonly status: 'damaged'; readonly reason: string };
}
export interface ContentRefused {
  readonly status: 'refused';
  readonly code: string;
  readonly message: string;
}

/** The one source of time. A replay tells the recorded time of the command it is asked for. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(command?: Command): number;
  /**
   * Resolves at a time, at once when it is past, or when the signal aborts. Never rejects.
   * Times beyond what one timer can hold are waited for in pieces.
   */
  sleepUntil(ms: number, signal: AbortSignal): Promise<void>;
}

declare const recorded: unique symbol;
/** An event that stands in the ledger. Made by the Chair's commit, nowhere else. */
export type Recorded<Event extends ConferenceEvent = ConferenceEvent> = Event & {
  readonly seq: number;
  readonly digest: string;
  readonly [recorded]: true;
};
export type RecordedIssue = Recorded<Extract<ConferenceEvent, { event: 'dispatch.issued' }>>;
export type RecordedEnd = Recorded<
  Extract<ConferenceEvent, { event: 'dispatch.cancelled' | 'dispatch.timed_out' }>
>;

/** What a host tells the root. An acknowledgement is never a result. */
export type HostMessage =
  | { readonly message: 'acknowledged'; readonly dispatch_id: DispatchId }
  | {
      readonly message: 'result';
      readonly dispatch_id: string;
      readonly bytes: Uint8Array;
      readonly cost?: string;
    }
  /** No packet will come. `host_lost`: the child died with an earlier root. */
  | {
      readonly message: 'failed';
      readonly dispatch_id: DispatchId;
      readonly code: 'host_failed' | 'host_lost';
      readonly reason: string;
      readonly cost?: string;
    }
  /** A replay knows of a packet that was refused, and no longer has its bytes. */
  | { readonly message: 'recorded'; readonly command: Command };

/** A charter as it goes to a child. */
export interface SentCharter {
  readonly charter: Charter;
  /** Canonical JSON: the bytes whose digest is recorded. */
  readonly text: string;
  /** Bytes after which a packet is oversized: a host need not read on. */
  readonly packetBytesMax: number;
}

/** What can start children (01 Words, `delegate_task`). */
export interface DelegateHost {
  readonly name: string;
  /** Whether each child gets a temporary folder that `close` removes. */
  readonly temporaryRoots: boolean;
  capability(): Promise<Capability>;
  /** Called once; messages may come at any time after. Dispatches that were out before this host was attached are named. */
  attach(listener: (message: HostMessage) => void, open: readonly DispatchId[]): void;
  /** Sends a charter. Returns at once: a message says what came of it. */
  delegate(issued: RecordedIssue, sent: SentCharter): void;
  /** Ends a child whose dispatch is over. */
  cancel(ended: RecordedEnd): void;
  /** Ends every child, waits until they are gone, and removes the temporary roots. Twice is once. */
  close(): Promise<void>;
}

/** Who can answer a decision. Null: nobody here and now. */
export interface Asker {
  readonly name: string;
  ask(decision: Decision, signal: AbortSignal): Promise<DecisionOption | null>;
}

interface WriteRefused {
  readonly status: 'refused';
  readonly code: string;
  readonly message: string;
}

/** What of the user's own conference.md is to be written back. */
export interface ConferenceMdMerge {
  readonly update: ConferenceMdUpdate;
  readonly planned: Planned;
  /** Digest of the bytes that the ledger knows: those that the plan was read from, or those written last. */
  readonly known: Digest | null;
  /** A person decided to take the file as it is now, whatever it says. */
  readonly asFound: boolean;
}

/** Writes artifacts inside the granted root: idempotent, compared by digest. */
export interface ArtifactPort {
  /** `replaces`: digest of our own earlier bytes at this path, or null. */
  write(
    path: string,
    bytes: Uint8Array,
    replaces: Digest | null,
  ): { readonly status: 'written' } | WriteRefused;
  /**
   * Merges what the root maintains into the conference.md that stands there now, and writes it; every other byte stays.
   * Refuses with BLOCKED_STALE_CONFERENCE_STATE where its plan part, or a section that round 1 quoted, is not what was
   * planned (03 Grants). Asked only where the plan was read from such a file.
   */
  mergeConferenceMd(
    merge: ConferenceMdMerge,
  ): { readonly status: 'written'; readonly digest: Digest; readonly bytes: number } | WriteRefused;
}
