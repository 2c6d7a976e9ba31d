/**
 * Every bound of this package, by name. What a peer sends can reach a bound, never pass it.
 *
 * Boundary: numbers only. Callers that need other values pass a partial record to `listen` or `send`.
 */

/** The bounds that a caller may change, in the unit that ends their name. */
export interface ComsLimits {
  /** Longest line, in UTF-16 code units without its line feed (04 Wire): that is how existing peers count. */
  readonly lineUnitsMax: number;
  /** Deepest nesting of arrays and objects in a line. Deeper JSON would overflow the stack of whoever prints it. */
  readonly nestingMax: number;
  /** Connections open at once; beyond it the one that has been silent longest makes room. */
  readonly connectionsMax: number;
  /** How long a connection may go without completing a line before it is ended. */
  readonly lineTimeoutMs: number;
  /** How long a handler may take over one envelope, and a client to read its answer, before the connection is ended. */
  readonly handlerTimeoutMs: number;
  /** How long a refused connection is still read (and thrown away), so that its client sees the refusal. */
  readonly lingerMs: number;
  /** How long a client waits for the answer to its line. */
  readonly ackTimeoutMs: number;
  /** How long a connection attempt may take before the owner counts as alive but busy. */
  readonly probeTimeoutMs: number;
  /** Requests of one peer that wait for their response at once. */
  readonly openRequestsMax: number;
  /** Responses remembered, so that a repeat is acked and not handed on again. */
  readonly inboxMax: number;
  /** Time between two refreshes of a registry entry (04 Registry). */
  readonly heartbeatMs: number;
  /** Highest number appended to a taken name. */
  readonly suffixMax: number;
}

/** The bounds in force where a caller names none. */
export const defaultLimits: ComsLimits = {
  lineUnitsMax: 65_536,
  nestingMax: 512,
  connectionsMax: 512,
  lineTimeoutMs: 10_000,
  handlerTimeoutMs: 30_000,
  lingerMs: 500,
  ackTimeoutMs: 10_000,
  probeTimeoutMs: 1_000,
  openRequestsMax: 1_024,
  inboxMax: 10_000,
  heartbeatMs: 30_000,
  suffixMax: 9_999,
};

/** A UTF-16 code unit never takes more than three bytes of UTF-8, so this many bytes hold any legal line. */
export const bytesPerUnitMax = 3;

/** Age up to which a heartbeat alone proves life, and the lead that another clock may have (04 Registry). */
export const heartbeatAgeMsMax = 90_000;
export const clockLeadMsMax = 5_000;

/** Largest registry entry that is read, in bytes. */
export const entryBytesMax = 65_536;
