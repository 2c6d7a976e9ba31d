/** A recovery receipt and its proposals in words. */
import type { RecoveryReceipt } from '@x/protocol';
import { table } from './table.ts';
import { terminalText } from './terminal-text.ts';

export function receiptText(receipt: RecoveryReceipt, digest: string): string {
  const ends = new Map<string, number>();
  for (const { state } of receipt.dispatches) ends.set(state, (ends.get(state) ?? 0) + 1);
  const dispatches = [...ends].map(([state, count]) => `${count} ${state}`).join(', ');
  return `Recovery receipt ${digest}\n${table([
    ['last complete round', String(receipt.last_complete_round)],
    ['last complete phase', completePhase(receipt)],
    ['state', `${receipt.state}${receipt.phase === null ? '' : `, ${receipt.phase}`}`],
    ['dispatches', dispatches === '' ? 'none' : dispatches],
    ['packets', `${receipt.accepted_packets.length} accepted, ${receipt.rejected_packets.length} rejected`],
    ['files', receipt.stale_state],
    ['bounded work', boundedWork(receipt)],
    [
      'remaining',
      `${receipt.remaining_iterations} iterations${receipt.remaining_time_ms === null ? '' : `, ${receipt.remaining_time_ms} ms`}`,
    ],
    ['user decision', terminalText(receipt.user_decision)],
    ['root writes', receipt.root_writes === 'none' ? 'none' : receipt.root_writes.join(', ')],
    ['cleanup', receipt.cleanup],
  ])}`;
}

function completePhase({ last_complete_phase }: RecoveryReceipt): string {
  if (last_complete_phase === null) return 'none';
  const { round, phase } = last_complete_phase;
  return phase === 'synthesis' ? phase : `${phase} of round ${round}`;
}

function boundedWork({ bounded_work }: RecoveryReceipt): string {
  if (bounded_work === null) return 'no grant';
  const { grant_id, granted_revision, current_revision } = bounded_work;
  const now = current_revision === null ? 'gives nothing any more' : `now at ${current_revision}`;
  return `grant ${terminalText(grant_id)} of revision ${granted_revision}, ${now}`;
}

interface ShownProposal {
  readonly proposal_id: string;
  readonly found: string;
  readonly proposal: string;
  readonly options: readonly { readonly id: string; readonly consequence: string }[];
}

export function proposalsText(proposals: readonly ShownProposal[], folder: string): string {
  if (proposals.length === 0) return 'Nothing is to be recovered.\n';
  return proposals
    .map(({ proposal_id, found, proposal, options }) => {
      const rows = options.map(({ id, consequence }) => [
        `conference decide ${folder} ${proposal_id} ${id}`,
        consequence,
      ]);
      return `Found: ${terminalText(found)}\n  proposed: ${terminalText(proposal)}\n${table(rows, '    ')}`;
    })
    .join('');
}
