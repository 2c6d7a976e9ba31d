/**
 * What the root itself found in a recording: files that differed, receipts of a recovery, a file taken as it was. Nobody outside
 * tells it in a replay, so it is handed over at its place among the events, before anything else that could follow there.
 */
import { CONFERENCE_MD, type Command } from '@x/conference-core';
import type { Chair } from '@x/conference-core/chair';
import type { ConferenceEvent } from '@x/protocol';

export interface RootFinding {
  /** Records it again. */
  readonly command: Command;
  /** When it was recorded, milliseconds. */
  readonly at_ms: number;
}

export interface Recording {
  readonly events: readonly ConferenceEvent[];
  /** Whether this replay writes artifacts. */
  readonly writes: boolean;
}

/** Watches what a replay records and hands over what the recording found next. */
export function followFindings(
  chair: Chair,
  { events, writes }: Recording,
  handOver: (finding: RootFinding) => void,
): void {
  const found = new Map(rootFindings(events));
  // A replay has a grant of its own; without one it writes nothing.
  const isTold = ({ event }: Pick<ConferenceEvent, 'event'>): boolean =>
    !event.startsWith('grant.') && (writes || event !== 'artifact.written');
  const told = events.filter(isTold);
  let at = 0;
  chair.observe((event) => {
    if (!isTold(event)) return;
    // Once the order is another one, nothing has a place in it.
    at = told[at]?.event === event.event ? at + 1 : Infinity;
    const following = told[at];
    const command = following === undefined ? undefined : found.get(following);
    if (following === undefined || command === undefined) return;
    handOver({ command, at_ms: Date.parse(following.timestamp) });
  });
}

function* rootFindings(events: readonly ConferenceEvent[]): Generator<[ConferenceEvent, Command]> {
  let blocked = false;
  for (const event of events) {
    switch (event.event) {
      case 'state.transitioned':
        blocked = event.payload.next_state === 'BLOCKED';
        break;
      case 'recovery.inspected':
        yield [event, { command: 'inspect', ...event.payload }];
        break;
      case 'conference.blocked': {
        const { code, reason } = event.payload;
        if (code === 'BLOCKED_STALE_CONFERENCE_STATE') yield [event, { command: 'block', code, reason }];
        break;
      }
      case 'artifact.written':
        if (blocked && event.payload.path === CONFERENCE_MD)
          yield [event, { command: 'written', ...event.payload }];
        break;
      default:
        break;
    }
  }
}
