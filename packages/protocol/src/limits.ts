/**
 * Bounds that are part of the plan and so of its digest: a resume judges with the bounds of the start
 * (02 Bounds). Their defaults stand here, once.
 */

/** All sizes in bytes of UTF-8, all string lengths in code points. */
export interface Limits {
  /** Bytes of one packet as received. */
  packet_bytes_max: number;
  /** Bytes of evidence (`read_context` excerpts) in one charter. */
  evidence_bytes_max: number;
  /** Claims of one packet, and entries of any other list in it. */
  claims_max: number;
  /** Code points of any string in a packet. */
  string_code_points_max: number;
}

export const LIMIT_DEFAULTS: Limits = {
  packet_bytes_max: 65_536,
  evidence_bytes_max: 32_768,
  claims_max: 64,
  string_code_points_max: 4_096,
};

/** Bytes that each ref in its input adds to what a poster, reviewer or synthesis may read and send (02 Bounds). */
export const BYTES_PER_REF = 1_024;

/** Levels of nesting in a packet (02 Reading what a child sends). */
export const PACKET_DEPTH_MAX = 32;

/** Code points of the reason that a refusal keeps. */
export const REASON_CODE_POINTS_MAX = 300;

/** The bounds of one charter and of the packet that answers it. */
export interface CharterLimits extends Limits {
  /** Verdicts of a review: as many as there are refs to judge. Absent where no evidence is known yet: `claims_max`. */
  verdicts_max?: number;
}

/**
 * The bounds of one charter: those of the plan, widened by the refs in its input for every role but the researcher.
 * @param refs claims and measurements the charter holds; 0 for a researcher
 */
export function limitsFor(plan: Limits, refs: number): CharterLimits {
  return {
    packet_bytes_max: Math.max(plan.packet_bytes_max, BYTES_PER_REF * refs),
    evidence_bytes_max: Math.max(plan.evidence_bytes_max, BYTES_PER_REF * refs),
    claims_max: Math.max(plan.claims_max, refs),
    string_code_points_max: plan.string_code_points_max,
    verdicts_max: refs,
  };
}
