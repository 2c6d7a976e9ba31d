/** Version of everything by which packets are judged; it stands in each plan and each receipt (02 Bounds). */

/** Changed whenever some packet would be judged otherwise than before. */
export const RULES_VERSION = 'packets/1';
