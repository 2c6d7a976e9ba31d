/** Draws a conference id: the only random thing in a conference (design C4). */
import { randomBytes } from 'node:crypto';
import { encodeUlid, parseConferenceId, type ConferenceId } from '@x/protocol';

export function drawConferenceId(now: number): ConferenceId {
  const id = parseConferenceId(encodeUlid(now, randomBytes(10)));
  if (id === null) throw new Error('a drawn id is not a ULID');
  return id;
}
