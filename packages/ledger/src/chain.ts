/**
 * Verifying a whole chain over any stream of bytes, in constant memory.
 *
 * L4 Lines are split at byte 0x0A only; U+2028, CR and the rest are data.
 * L5 Bytes after the last newline are a tail, never a line: whether they are in flight or torn, the caller knows.
 * L6 Memory is one chunk and one line: a line beyond `lineBytesMax` is counted, not kept, and is a fault once its newline comes.
 */
import { LedgerError } from './error.ts';
import { faultAt, type LineFault } from './line-fault.ts';
import { lineBytesMaxDefault } from './line.ts';
import { emptyHead, type Head, type LedgerRecord } from './record.ts';
import { isFault, verifyLine, type LineCheck } from './verify-line.ts';

/** `from`: the head to go on from (default: an empty ledger); the bytes fed must start at `from.bytes`. `lineBytesMax`: bytes, newline included. */
export type ChainOptions = LineCheck & { readonly from?: Head; readonly lineBytesMax?: number };

/** What stands after the last newline. `bytes` is null when the tail is longer than any line may be. */
export type Tail = { readonly length: number; readonly bytes: Uint8Array | null };

/** Takes a verified record, and the length of the ledger up to its end, in bytes. */
export type OnRecord = (record: LedgerRecord, endBytes: number) => void;

/** Verifies chunk by chunk. */
export type ChainVerifier = {
  /** The end of what verified so far. */
  readonly head: Head;
  /** Takes the next bytes. Returns the first fault, after which everything is refused with the same one. The chunk may be reused afterwards. */
  readonly feed: (chunk: Uint8Array, onRecord?: OnRecord) => LineFault | null;
  /** What stands after the last newline now. */
  readonly tail: () => Tail;
};

const newline = 0x0a;
const empty: Uint8Array<ArrayBuffer> = new Uint8Array(0);

/** Starts a verification. Throws `LedgerError` `WRONG_OPTION` for a `lineBytesMax` that is no whole number from 1. */
export const createChainVerifier = (options: ChainOptions = {}): ChainVerifier => {
  const lineBytesMax = options.lineBytesMax ?? lineBytesMaxDefault;
  if (!Number.isSafeInteger(lineBytesMax) || lineBytesMax < 1) {
    throw new LedgerError(
      'WRONG_OPTION',
      `lineBytesMax: found ${lineBytesMax}, accepted: a whole number of bytes from 1`,
    );
  }
  const from = options.from ?? emptyHead;
  let last: LedgerRecord | null = null;
  // One object for all lines: this runs a million times.
  const expected = { seq: from.seq + 1, prev: from.digest, offset: from.bytes };
  let fault: LineFault | null = null;
  let carried = empty; // its first min(carriedBytes, lineBytesMax) bytes hold the line that is not ended yet
  let carriedBytes = 0;

  const carry = (part: Uint8Array): void => {
    const length = carriedBytes + part.length;
    if (length >= lineBytesMax) carried = empty;
    else if (part.length > 0) {
      if (carried.length < length) carried = grown(carried, carriedBytes, Math.min(lineBytesMax, length * 2));
      carried.set(part, carriedBytes);
    }
    carriedBytes = length;
  };
  const takeLine = (part: Uint8Array): Uint8Array => {
    if (carriedBytes === 0) return part;
    const line = grown(carried, carriedBytes, carriedBytes + part.length);
    line.set(part, carriedBytes);
    return line;
  };
  const check = (part: Uint8Array): LedgerRecord | LineFault => {
    const length = carriedBytes + part.length + 1;
    if (length > lineBytesMax)
      return faultAt(expected)('length', `at most ${lineBytesMax} bytes`, `${length} bytes`);
    const outcome = verifyLine(takeLine(part), expected, options);
    if (isFault(outcome)) return outcome;
    carriedBytes = 0;
    last = outcome;
    expected.seq = outcome.seq + 1;
    expected.prev = outcome.digest;
    expected.offset += length;
    return outcome;
  };

  return {
    get head() {
      if (last === null) return from;
      return { seq: last.seq, digest: last.digest, bytes: expected.offset, timestamp: last.timestamp };
    },
    feed: (chunk, onRecord) => {
      // Lines are plain views: those of a Buffer are Buffers, which cost more to make than to check the frame of a line.
      const view = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (
        let end = chunk.indexOf(newline);
        end !== -1 && fault === null;
        end = chunk.indexOf(newline, start)
      ) {
        const outcome = check(view.subarray(start, end));
        if (isFault(outcome)) fault = outcome;
        else onRecord?.(outcome, expected.offset);
        start = end + 1;
      }
      if (fault === null) carry(view.subarray(start));
      return fault;
    },
    tail: () => ({
      length: carriedBytes,
      bytes: carriedBytes >= lineBytesMax ? null : grown(carried, carriedBytes, carriedBytes),
    }),
  };
};

/** A copy of the first `used` bytes with room for `length`. */
const grown = (bytes: Uint8Array, used: number, length: number): Uint8Array<ArrayBuffer> => {
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, used));
  return copy;
};

/** `whole`: every line verifies, `tail` bytes follow the last newline. `damaged`: `head` is the end of what verifies before the fault. */
export type ChainReport =
  | { readonly status: 'whole'; readonly head: Head; readonly tail: Tail }
  | { readonly status: 'damaged'; readonly head: Head; readonly fault: LineFault };

/**
 * Verifies a chain over any stream of bytes (a file, a response, an array) and stops at the first fault.
 * Rejects only when the source does. Implements 03 Ledger ("streaming, constant memory").
 */
export const verifyChain = async (
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ChainOptions & { readonly onRecord?: OnRecord } = {},
): Promise<ChainReport> => {
  const verifier = createChainVerifier(options);
  for await (const chunk of source) {
    const fault = verifier.feed(chunk, options.onRecord);
    if (fault !== null) return { status: 'damaged', head: verifier.head, fault };
  }
  return { status: 'whole', head: verifier.head, tail: verifier.tail() };
};
