/** The user cancelled. Pre-empts everything else in either order. */
import type { CommonView, Rule } from './rule.ts';

export const cancelled: Rule<'cancelled', CommonView> = {
  id: 'cancelled',
  outcome: 'CANCELLED',
  source: 'source 001, Convergence 1; source 000 §5',
  judge: ({ cancelled: held }) => ({ held, detail: held ? 'the user cancelled' : 'not cancelled' }),
};
