/**
 * From a verified line to an event of the conference. The chain proves that the line is ours; a newer format or an
 * unknown event is refused by name, never folded past (design "Formats over years").
 */
import { EVENT_NAMES, isEventName, LEDGER_FORMAT, type ConferenceEvent } from '@x/protocol';

export interface VerifiedLine {
  readonly event: string;
  readonly timestamp: string;
  readonly payload: object;
}

/** The event, or why a reader of this version must not go on. */
export function acceptRecord({ event, timestamp, payload }: VerifiedLine): ConferenceEvent | string {
  if (!isEventName(event)) {
    return `the ledger holds an event ${JSON.stringify(event)} that this version does not know (it knows ${EVENT_NAMES.length}): use a newer conference`;
  }
  if (event === 'conference.planned') {
    const format = 'ledger_format' in payload ? payload.ledger_format : undefined;
    if (format !== LEDGER_FORMAT) {
      return `the ledger has format ${String(format)}, and this version reads up to ${LEDGER_FORMAT}: use a newer conference`;
    }
  }
  // The chain is verified and the name is known: the payload is what a writer of this format appended.
  return { event, timestamp, payload } as ConferenceEvent;
}
