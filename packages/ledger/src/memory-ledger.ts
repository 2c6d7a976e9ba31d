/** A ledger without a disk: for runs without a grant, and for tests. Same lines, same digests, nothing durable. */
import { portableSha256, type Sha256Hex } from './digest.ts';
import {
  encodeGroup,
  groupBytesMaxDefault,
  headMoved,
  utf8Length,
  type AppendLimits,
  type Ledger,
} from './ledger.ts';
import { lineBytesMaxDefault } from './line.ts';
import { emptyHead, type Entry, type Head, type Recorded } from './record.ts';
import { closedBecause } from './refusal.ts';

/** A ledger in memory; `records` and `text` give what was appended so far. */
export type MemoryLedger = Ledger & {
  readonly records: () => readonly Recorded[];
  /** The bytes a file would hold, as text. */
  readonly text: () => string;
};

/** Opens an empty ledger in memory. */
export const memoryLedger = (
  options: Partial<AppendLimits> & { readonly sha256?: Sha256Hex } = {},
): MemoryLedger => {
  const limits = {
    sha256: options.sha256 ?? portableSha256,
    lineBytesMax: options.lineBytesMax ?? lineBytesMaxDefault,
    groupBytesMax: options.groupBytesMax ?? groupBytesMaxDefault,
  };
  let head: Head = emptyHead;
  let closed = false;
  const kept: Recorded[] = [];
  const texts: string[] = [];
  return {
    get head() {
      return head;
    },
    durable: false,
    append: <E extends Entry>(expected: Head, entries: readonly E[]) => {
      if (closed) return closedBecause('its owner closed it');
      const moved = headMoved(expected, head);
      if (moved !== null) return moved;
      const group = encodeGroup(head, entries, limits);
      if (group.status === 'refused') return group;
      const last = entries.at(-1);
      if (last !== undefined) {
        const { digest, records, text } = group;
        const bytes = head.bytes + utf8Length(text);
        head = { seq: head.seq + records.length, digest, bytes, timestamp: last.timestamp };
        kept.push(...records);
        texts.push(text);
      }
      return { status: 'appended', records: group.records, head };
    },
    close: () => {
      closed = true;
      return Promise.resolve();
    },
    records: () => [...kept],
    text: () => texts.join(''),
  };
};
