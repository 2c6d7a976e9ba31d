/**
 * The user's conference.md read anew, compared, merged and written (03 Grants, LEDG-26): a file that somebody edited
 * meanwhile keeps the edit, and one that says another plan is not written over but asked about.
 */
import { CONFERENCE_MD } from '@x/conference-core';
import type { ArtifactPort, ConferenceMdMerge } from '@x/conference-core/chair';
import { asDigest, type Digest as LedgerDigest } from '@x/ledger';
import type { GrantedRoot } from '@x/ledger/node';
import { digestOf } from '@x/protocol';
import { conferenceMdDrift, conferenceMdText } from './drift-conference-md.ts';
import { MERGED_BYTES_MAX } from './sections.ts';
import { updateConferenceMd } from './update-conference-md.ts';

/** Where the file is, and how it is read and written inside the grant. */
export interface ConferenceMdPlace {
  /** Absolute; relative roots in the file resolve against it. */
  readonly folder: string;
  readonly read: () => ReturnType<GrantedRoot['read']>;
  /** `replaces`: digest of the bytes that were read; null where there was no file. */
  readonly write: (bytes: Uint8Array, replaces: LedgerDigest | null) => ReturnType<GrantedRoot['write']>;
}

type Merged = ReturnType<ArtifactPort['mergeConferenceMd']>;

/** How often a file may change between reading and writing before the write is refused. */
const ATTEMPTS_MAX = 4;

function stale(reason: string): Extract<Merged, { status: 'refused' }> {
  return { status: 'refused', code: 'BLOCKED_STALE_CONFERENCE_STATE', message: reason };
}

export function mergeConferenceMd(place: ConferenceMdPlace, merge: ConferenceMdMerge): Merged {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const found = place.read();
    if (found.status === 'refused') return found;
    if (found.status === 'other') {
      return stale(`${CONFERENCE_MD} is ${found.found}: put the file itself there, it is written back to`);
    }
    if (found.status === 'missing' && !merge.asFound) {
      return stale(`${CONFERENCE_MD} is gone: bring it back, or let a new one be made with what was found`);
    }
    const present = found.status === 'missing' ? new Uint8Array() : found.bytes;
    if (present.length > MERGED_BYTES_MAX) {
      return stale(
        `${CONFERENCE_MD} has ${present.length} bytes; at most ${MERGED_BYTES_MAX} are written back`,
      );
    }
    const text = conferenceMdText(present);
    if (text === null) return stale(`${CONFERENCE_MD} is not UTF-8 any more`);
    const digest = digestOf(present);
    const isKnown = found.status === 'found' && digest === merge.known;
    const drift = isKnown || merge.asFound ? [] : conferenceMdDrift(text, merge.planned, place.folder);
    if (drift.length > 0) return stale(drift.join('; '));
    const bytes = new TextEncoder().encode(updateConferenceMd(text, merge.update));
    const written = place.write(bytes, found.status === 'found' ? asDigest(digest) : null);
    if (written.status === 'written') {
      return { status: 'written', digest: digestOf(bytes), bytes: bytes.length };
    }
    // Somebody wrote between our reading and our writing: their text is read, and judged, first.
    if (written.code !== 'WRITE_TARGET_UNKNOWN') return written;
  }
  return stale(`${CONFERENCE_MD} is changed faster than it can be written back`);
}
