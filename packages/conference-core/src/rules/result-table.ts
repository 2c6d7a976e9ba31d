/**
 * What a result means, read from the top before any packet rule (01 Dispatch accounting). The table of the source:
 * the first row that fits is the classification.
 */
import type { Digest, StaleReason } from '@x/protocol';
import type { DispatchRow } from '../dispatch-row.ts';
import { currentRound, findRow, isFinal, type State } from '../state.ts';

export type Classification =
  | { readonly kind: 'admit'; readonly row: DispatchRow }
  | { readonly kind: 'duplicate'; readonly row: DispatchRow }
  | { readonly kind: 'conflict'; readonly row: DispatchRow }
  | { readonly kind: 'stale'; readonly reason: StaleReason };

interface Asked {
  readonly row: DispatchRow;
  readonly same: boolean;
  readonly open: boolean;
}

interface ResultRow {
  readonly when: string;
  readonly fits: (asked: Asked) => boolean;
  readonly means: (asked: Asked) => Classification;
}

const answered = ({ row }: Asked): boolean => row.state === 'received' || row.state === 'failed';
const stale = (reason: StaleReason): Classification => ({ kind: 'stale', reason });

export const RESULT_TABLE: readonly ResultRow[] = [
  {
    when: 'dispatched: judged now',
    fits: ({ row }) => row.state === 'dispatched',
    means: ({ row }) => ({ kind: 'admit', row }),
  },
  {
    when: 'received or failed, same bytes: idempotent, also after its round closed',
    fits: (asked) => answered(asked) && asked.same,
    means: ({ row }) => ({ kind: 'duplicate', row }),
  },
  {
    when: 'any id of a closed round',
    fits: ({ open }) => !open,
    means: () => stale('PACKET_ROUND_CLOSED'),
  },
  {
    when: 'failed without bytes, as its host said',
    fits: ({ row }) => row.state === 'failed' && row.digest === null,
    means: () => stale('failed_without_packet'),
  },
  {
    when: 'received or failed, its round open, other bytes',
    fits: answered,
    means: ({ row }) => ({ kind: 'conflict', row }),
  },
  { when: 'timed out', fits: ({ row }) => row.state === 'timed_out', means: () => stale('timed_out') },
  { when: 'cancelled', fits: ({ row }) => row.state === 'cancelled', means: () => stale('cancelled') },
];

/** Where a result with this digest belongs. Changes nothing; `decide` classifies again. */
export function classify(state: State, dispatchId: string, digest: Digest): Classification {
  const row = findRow(state, dispatchId);
  if (row === null) return stale('unknown_dispatch');
  const asked = { row, same: row.digest === digest, open: isOpenRound(state, row) };
  const found = RESULT_TABLE.find(({ fits }) => fits(asked));
  return found === undefined ? stale('unknown_dispatch') : found.means(asked);
}

/** Whether results of this dispatch can still move anything: its round is under way, or its synthesis is. */
function isOpenRound(state: State, row: DispatchRow): boolean {
  if (isFinal(state)) return false;
  if (row.role === 'synthesis') return true;
  const standing = state.state === 'BLOCKED' ? state.blocked?.from?.state : state.state;
  // A stop or a budget ends the round under way as it stands.
  if (standing === 'SYNTHESIZING' || standing === 'BUDGET_STOP') return false;
  const round = currentRound(state);
  return round !== null && row.round === round.round && !round.completed;
}
