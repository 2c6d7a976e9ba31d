/**
 * "Self-assessment alone cannot produce `validated`" (source 002 Reviewer charter; 02 Packets): a reviewer that
 * repeats the claim, or only points back at the packet under review, has checked nothing.
 */
import { foldSpace, type RefTarget } from './claim-ref.ts';

/** Words that may stand between references without adding anything to them. */
const CONNECTIVES =
  /(?<![\p{L}\p{N}])(?:see|cf|per|as|in|by|of|from|and|the|ref|refs|reference|packet|claim|claims|measurement|evidence|above|same|siehe|vgl|und|wie|in|laut|paket|див|дивись|та|і|пакет)(?![\p{L}\p{N}])/giu;

/**
 * Whether the evidence of a `validated` verdict is none: empty, the claim's own words, or nothing but references
 * to the reviewed packet.
 * @param names what else names that packet in the charter: `E…` ids and digests
 */
export function isSelfAssessment(evidence: string, target: RefTarget, names: readonly string[]): boolean {
  const folded = foldSpace(evidence);
  if (folded === '') return true;
  if (target.own_texts.some((text) => foldSpace(text) === folded)) return true;
  return isOnlyReferences(folded, target.dispatch_id, names);
}

function isOnlyReferences(evidence: string, dispatchId: string, names: readonly string[]): boolean {
  // Most evidence names nothing of the kind; making the patterns costs more than all the rest of a verdict.
  if (!evidence.includes(dispatchId) && !names.some((name) => evidence.includes(name))) return false;
  let rest = evidence.replace(new RegExp(`${dispatchId}(?:#[cm]\\d+)?`, 'gu'), ' ');
  for (const name of names) {
    rest = rest.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, 'gu'), ' ');
  }
  if (rest === evidence) return false;
  return !/[\p{L}\p{N}]/u.test(rest.replace(CONNECTIVES, ' '));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
