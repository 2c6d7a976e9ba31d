/** `replay:<folder>`: packets for rehearsals and tests, from a conference folder or from files (07 Hosts). */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EVENTS_JSONL } from '@x/conference-core';
import type { Asker, Chair, Clock, DelegateHost } from '@x/conference-core/chair';
import type { ConferenceId, Digest } from '@x/protocol';
import { usage, type Failure } from '../../output.ts';
import { openFileReplay } from './file-replay.ts';
import { openLedgerReplay } from './ledger-replay.ts';

/** A recording that stands in for a host, for the clock, and for whoever was asked. */
export interface Replay {
  readonly clock: Clock;
  host(slots: number): DelegateHost;
  conferenceId(planDigest: Digest): ConferenceId;
  /** Null: nobody's answers are recorded. */
  readonly asker: Asker | null;
  /**
   * Watches what this run records, so that what the root itself found in the recording is found at the same place.
   * `writes`: whether artifacts are written.
   */
  follow(chair: Chair, options: { readonly writes: boolean }): void;
  /** Aborts when the recording ends before the conference does. */
  readonly ended: AbortSignal;
}

export type OpenedReplay =
  | { readonly ok: true; readonly replay: Replay }
  | { readonly ok: false; readonly failure: Failure };

export async function openReplay(folder: string, cwd: string): Promise<OpenedReplay> {
  const path = resolve(cwd, folder);
  if (folder === '' || !existsSync(path) || !statSync(path).isDirectory()) {
    const message = `--host replay: ${JSON.stringify(folder)} is not a folder; accepted is a conference folder, or one of files r<N>-<lane|poster|review|synthesis>.json`;
    return { ok: false, failure: usage('HOST_INVALID', message) };
  }
  return existsSync(join(path, EVENTS_JSONL))
    ? openLedgerReplay(path)
    : { ok: true, replay: openFileReplay(path) };
}
