/** No lane of the last round answered with a valid packet. A blocked packet is valid, without evidence. */
import { isComplete } from '../round-facts.ts';
import { counted } from '../shown.ts';
import { noRound } from './rule.ts';
import type { CommonView, Rule } from './rule.ts';

export const noValidPacket: Rule<'no_valid_packet', CommonView> = {
  id: 'no_valid_packet',
  outcome: 'BLOCKED_NO_VALID_PACKET',
  source: 'source 001, Convergence 2; source 000 §4',
  judge: ({ last }) => {
    if (last === null) return noRound;
    const detail = `round ${last.round}: ${last.received} received and ${last.blocked} blocked of ${counted(last.lanes, 'lane')}`;
    return { held: !isComplete(last), detail };
  },
};
