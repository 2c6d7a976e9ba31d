/** Refs of claims and measurements as a person reads them: who said it, in which round, and how the review judged it. */
import { REF_PATTERN, type Verdict } from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import { allRows, type State } from '../state.ts';
import { inline } from './inert-text.ts';
import { seatName, type PacketLinks } from './markdown.ts';

export interface RefTable {
  /** The latest verdict on a ref, or null for one that is unknown or that no review named. */
  readonly verdictOf: (ref: string) => Verdict | null;
  /** `[R5 B m3][b296e391fb8f] validated`; a ref that is unknown is shown as the child wrote it. */
  readonly show: (ref: string) => string;
}

/** How a shown ref is read. */
export const REF_LEGEND =
  'R5 B m3 reads: round 5, lane B, measurement 3; c3 would be its claim 3. Each leads to the packet as received.';

/** `R5 B`: round and seat of a dispatch. */
export function rowName(row: DispatchRow): string {
  return `R${row.round} ${seatName(row)}`;
}

export function refTable(state: State, links: PacketLinks): RefTable {
  const rows = new Map<string, DispatchRow>();
  for (const row of allRows(state)) rows.set(row.dispatch_id, row);
  const find = (ref: string) => {
    const [, dispatchId = '', kind = '', number = ''] = REF_PATTERN.exec(ref.trim()) ?? [];
    const row = rows.get(dispatchId);
    if (row === undefined) return null;
    const verdicts = kind === 'c' ? row.claim_verdicts : row.measurement_verdicts;
    return { row, part: `${kind}${number}`, verdict: verdicts[Number(number) - 1] ?? null };
  };
  return {
    verdictOf: (ref) => find(ref)?.verdict ?? null,
    show: (ref) => {
      const found = find(ref);
      if (found === null) return `${inline(ref)} (unknown)`;
      const { row, part, verdict } = found;
      return `${links.named(`${rowName(row)} ${part}`, row.digest)} ${verdict ?? 'not reviewed'}`;
    },
  };
}
