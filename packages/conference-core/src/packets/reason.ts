/** The reason that a refusal keeps: bounded, and made of our own words (02 Rejection). */
import { REASON_CODE_POINTS_MAX } from '@x/protocol';

/** Cut at a whole code point, with a mark. */
export function boundedReason(text: string): string {
  const points = [...text];
  if (points.length <= REASON_CODE_POINTS_MAX) return text;
  return `${points.slice(0, REASON_CODE_POINTS_MAX - 1).join('')}…`;
}
