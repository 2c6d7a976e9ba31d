/**
 * Where and why a packet could not be read. Names that a child made up are not repeated in a path: a key may be a
 * secret as well as a value, and the reason of a refusal reaches the ledger (02 Rejection).
 */
import { documentPath } from '@x/protocol';

export interface ReadFault {
  readonly ok: false;
  readonly path: string;
  /** What was expected there; never what was found. */
  readonly expected: string;
}

/** Every member name that some packet schema has. */
const MEMBER_NAMES: ReadonlySet<string> = new Set([
  'agreements',
  'claim',
  'claim_ref',
  'claim_refs',
  'claims',
  'confidence',
  'conflicts',
  'contradictions',
  'dispatch_id',
  'established',
  'evidence',
  'finding',
  'hypotheses',
  'measurements',
  'missing_evidence',
  'name',
  'negative_results',
  'next_decisions',
  'promising',
  'provenance',
  'reason',
  'recommended_root_actions',
  'review_questions',
  'role',
  'score',
  'scores',
  'statement',
  'status',
  'stuck_level',
  'summaries',
  'summary',
  'uncertainties',
  'value',
  'verdict',
  'verdicts',
  'verification_requests',
]);

export function isMemberName(key: string): boolean {
  return MEMBER_NAMES.has(key);
}

/** A path for people, with `?` in the place of every name that no packet has. */
export function shownPath(path: readonly PropertyKey[]): string {
  return documentPath(path.map((part) => (typeof part === 'string' && !MEMBER_NAMES.has(part) ? '?' : part)));
}

export function faultAt(path: readonly PropertyKey[], expected: string): ReadFault {
  return { ok: false, path: shownPath(path), expected };
}
