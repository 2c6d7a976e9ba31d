/** The one folder below which every child of a conference has its own, named by the conference: a resume finds what a killed root left. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConferenceId } from '@x/protocol';
import { endStrays } from './strays.ts';

/** @param temporaryFolder where it is made; default the system's */
export function temporaryRootOf(conferenceId: ConferenceId, temporaryFolder = tmpdir()): string {
  return join(temporaryFolder, `conference-${conferenceId}`);
}

/** Ends what still runs there and removes it. The caller holds the ledger, so its root is gone. Twice is once. */
export function removeTemporaryRoot(conferenceId: ConferenceId): void {
  const root = temporaryRootOf(conferenceId);
  endStrays(root);
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
