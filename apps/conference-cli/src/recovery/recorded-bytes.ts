/**
 * The bytes of artifacts as they were written, made again: each from the state and head at the time of its record, for a
 * later round renders otherwise (03 Artifacts; RECO-06).
 */
import { join } from 'node:path';
import {
  EVENTS_JSONL,
  evolve,
  FINAL_REPORT_MD,
  INITIAL_STATE,
  renderArtifact,
  type LedgerLine,
  type State,
} from '@x/conference-core';
import { ContentMissing, read, reportWithout, type ContentPort } from '@x/conference-core/chair';
import { readLedger } from '@x/ledger/node';
import type { Digest } from '@x/protocol';
import { acceptRecord } from '../store/accept-record.ts';

export type RecordedBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string };

interface Written {
  readonly state: State;
  readonly head: LedgerLine;
  readonly digest: Digest;
}

/** What the ledger's last record of each path says, as bytes; or why they cannot be made again. */
export async function recordedBytes(
  folder: string,
  paths: readonly string[],
  objects: ContentPort,
): Promise<Map<string, RecordedBytes>> {
  const written = new Map<string, Written>();
  let state = INITIAL_STATE;
  for await (const item of readLedger(join(folder, EVENTS_JSONL))) {
    if (item.kind !== 'record') continue;
    const event = acceptRecord(item.record);
    if (typeof event === 'string') break;
    if (event.event === 'artifact.written' && paths.includes(event.payload.path)) {
      const { seq, prev } = item.record;
      const { path, digest } = event.payload;
      written.set(path, { state, head: { seq: seq - 1, digest: prev }, digest });
    }
    state = evolve(state, event);
  }
  return new Map(paths.map((path) => [path, madeAgain(path, written.get(path), objects)]));
}

function madeAgain(path: string, written: Written | undefined, objects: ContentPort): RecordedBytes {
  if (written === undefined) return { ok: false, reason: `no event says that ${path} was written` };
  try {
    const { bytes, digest } =
      path === FINAL_REPORT_MD
        ? reportWithout(written.state, written.head, objects)
        : read(renderArtifact(written.state, path, written.head), objects);
    if (digest === written.digest) return { ok: true, bytes };
    const reason = `${path} was made by another version: made again it has the digest ${digest}, recorded is ${written.digest}`;
    return { ok: false, reason };
  } catch (error) {
    if (error instanceof ContentMissing)
      return { ok: false, reason: `${path} cannot be made again: ${error.message}` };
    throw error;
  }
}
