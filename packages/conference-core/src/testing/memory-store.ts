/** A ledger and a content store in memory, for embedding without a disk and for tests. They can refuse on request. */
import { canonicalJson, digestOf, ZERO_DIGEST, type ConferenceEvent, type Digest } from '@x/protocol';
import type { ContentPort, LedgerHead, LedgerPort, LedgerRefused } from '../chair/ports.ts';

export interface MemoryLedger extends LedgerPort {
  readonly events: readonly ConferenceEvent[];
  /** The next append is refused with this, once. */
  refuseNext(refused: LedgerRefused): void;
}

/** Starts empty, or with events that were recorded before. */
export function memoryLedger(before: readonly ConferenceEvent[] = []): MemoryLedger {
  const events: ConferenceEvent[] = [];
  let head: LedgerHead = { seq: 0, digest: ZERO_DIGEST, bytes: 0, timestamp: null };
  let refusal: LedgerRefused | null = null;
  const add = (event: ConferenceEvent): { seq: number; digest: string } => {
    const digest = digestOf(canonicalJson({ ...event, prev: head.digest, seq: head.seq + 1 }));
    head = { seq: head.seq + 1, digest, bytes: head.bytes + 1, timestamp: event.timestamp };
    events.push(event);
    return { seq: head.seq, digest };
  };
  before.forEach(add);
  return {
    get head() {
      return head;
    },
    durable: false,
    events,
    append: (expected, entries) => {
      const refused = refusal;
      refusal = null;
      if (refused !== null) return refused;
      if (expected.seq !== head.seq || expected.digest !== head.digest) {
        return { status: 'refused', code: 'LEDGER_HEAD_MOVED', message: `the ledger ends at ${head.seq}` };
      }
      const records = entries.map(add);
      return { status: 'appended', records, head };
    },
    close: () => Promise.resolve(),
    refuseNext: (refused) => {
      refusal = refused;
    },
  };
}

export interface MemoryContent extends ContentPort {
  readonly size: number;
  /** Loses a content, as a damaged disk would. */
  lose(digest: Digest): void;
}

export function memoryContent(): MemoryContent {
  const kept = new Map<string, Uint8Array>();
  return {
    get size() {
      return kept.size;
    },
    put: (bytes) => {
      const digest = digestOf(bytes);
      if (!kept.has(digest)) kept.set(digest, bytes.slice());
      return { status: 'stored', digest };
    },
    get: (digest) => {
      const bytes = kept.get(digest);
      return bytes === undefined ? { status: 'missing' } : { status: 'found', bytes };
    },
    lose: (digest) => void kept.delete(digest),
  };
}
