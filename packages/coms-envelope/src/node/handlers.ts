/**
 * What a program that is a peer provides: its side of every conversation.
 */
import type { AgentCard, Cancel, Prompt, Response } from '../envelope.ts';
import type { Verdict } from '../inbox.ts';

/** The living part of an agent card; further fields are passed on as they are. */
export interface CardDetails {
  readonly context_used_pct?: number;
  readonly queue_depth?: number;
  readonly pane_id?: string;
  readonly status?: string;
  readonly [extra: string]: unknown;
}

export interface PeerHandlers {
  /**
   * Takes a prompt. The ack goes out when this settles, so do first what must survive a crash. Without this handler
   * every prompt is nacked. May be handed the same `msg_id` again: a client that missed its ack repeats.
   */
  readonly prompt?: (prompt: Prompt) => Verdict | Promise<Verdict>;
  /** Takes a response that no open request waits for, once a `msg_id`. Without this handler it is nacked. */
  readonly response?: (response: Response) => Verdict | Promise<Verdict>;
  /** Told of a cancel after it has been acked (source 004 "Cancel semantics"). */
  readonly cancel?: (cancel: Cancel) => void | Promise<void>;
  /** Asked at every ping, and at every heartbeat for the entry. */
  readonly card?: () => CardDetails;
  /** Told of what went wrong with nobody waiting for an answer. */
  readonly fault?: (fault: PeerFault) => void;
}

/**
 * - `HANDLER_FAILED` a handler threw; the envelope was nacked (a cancel had been acked).
 * - `HEARTBEAT_FAILED` the registry entry could not be refreshed; the next heartbeat tries again.
 * - `NAME_LOST` another process that answers stands in the registry under our name; it is left there.
 * - `SOCKET_LOST` the socket file is gone or replaced; nobody can reach this peer any more.
 */
export interface PeerFault {
  readonly code: 'HANDLER_FAILED' | 'HEARTBEAT_FAILED' | 'NAME_LOST' | 'SOCKET_LOST';
  readonly message: string;
  readonly cause?: unknown;
}

/** The fixed part of an agent card. */
export type CardIdentity = Pick<AgentCard, 'name' | 'purpose' | 'model' | 'color'>;
