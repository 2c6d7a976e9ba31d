/** Refs of claims and measurements as a person reads them: who said it, in which round, and how the review judged it. */
import { REF_PATTERN, type Verdict } from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import { allRows, type State } from '../state.ts';
import { inline } from './inert-text.ts';
import { packetPath, seatName } from './markdown.ts';

export interface RefTable {
  /** The latest verdict on a ref, or null for one that is unknown or that no review named. */
  verdictOf(ref: string): Verdict | null;
  /** `[R5 B m3](packets/….json) validated`; a ref that is unknown is shown as the child wrote it. */
  show(ref: string): string;
}

/** How a shown ref is read. */
export const REF_LEGEND =
  'R5 B m3 is measurement 3 of lane B in round 5, c a claim; each leads to its packet.';

/** The name of a ref: round, lane, and the part of it. */
export function refName(row: DispatchRow, part: string): string {
  return `R${row.round} ${seatName(row)} ${part}`;
}

/** The name of a ref as a link to the packet that it is in. */
export function refLink(row: DispatchRow, part: string): string {
  const name = refName(row, part);
  return row.digest === null ? name : `[${name}](${packetPath(row.digest)})`;
}

export function refTable(state: State): RefTable {
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
      return `${refLink(found.row, found.part)} ${found.verdict ?? 'not reviewed'}`;
    },
  };
}
