/** Every lane of the last round is blocked, or received and stalled. A lane that failed or timed out keeps it from holding. */
import { counted, shownName } from '../shown.ts';
import { noRound } from './rule.ts';
import type { CommonView, Rule } from './rule.ts';

export const allStalled: Rule<'all_stalled', CommonView> = {
  id: 'all_stalled',
  outcome: 'STALLED',
  source: 'source 001, Convergence 5; source 003, All Stalled',
  judge: ({ config, last }) => {
    if (last === null) return noRound;
    const { round, lanes, blocked, moving } = last;
    if (moving === null) {
      const detail = `round ${round}: ${blocked} blocked and ${lanes - blocked} at stuck level ${config.stuck_level} or above, of ${counted(lanes, 'lane')}`;
      return { held: lanes > 0, detail };
    }
    const level = moving.status === 'received' ? ` at stuck level ${moving.stuck_level ?? 'not given'}` : '';
    return {
      held: false,
      detail: `round ${round}: lane ${shownName(moving.lane)} is ${moving.status}${level}; stalled from level ${config.stuck_level}`,
    };
  },
};
