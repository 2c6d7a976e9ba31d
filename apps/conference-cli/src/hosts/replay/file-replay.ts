/**
 * Packets from files `r<N>-<lane|poster|review|synthesis>[-<attempt>].json`, in which `{{dispatch_id}}` is filled in.
 *
 * The clock starts at a fixed time and moves by one millisecond a command, so two replays are byte-identical on any
 * machine. A file that is missing is a child that never answers: the clock jumps to the deadline.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, DelegateHost, HostMessage, RecordedIssue } from '@x/conference-core/chair';
import { encodeUlid, parseConferenceId, type ConferenceId, type Digest } from '@x/protocol';
import type { Replay } from './replay.ts';

/** Where the time of every replay from files starts. */
const REPLAY_START = Date.parse('2000-01-01T00:00:00.000Z');

const encoder = new TextEncoder();

export function openFileReplay(folder: string): Replay {
  let now = REPLAY_START;
  const clock: Clock = {
    now: () => now,
    sleepUntil: (ms) => {
      // Nobody else moves this clock: waiting for a deadline reaches it.
      if (Number.isFinite(ms)) now = Math.max(now, ms);
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
  return {
    clock,
    asker: null,
    conferenceId: conferenceIdOf,
    follow: () => undefined,
    ended: new AbortController().signal,
    host: (slots) =>
      fileHost(folder, slots, () => {
        now += 1;
      }),
  };
}

/** From the plan's digest: the same plan gives the same conference. */
function conferenceIdOf(planDigest: Digest): ConferenceId {
  const random = Buffer.from(planDigest.slice('sha256:'.length), 'hex').subarray(0, 10);
  const id = parseConferenceId(encodeUlid(REPLAY_START, random));
  if (id === null) throw new Error('a derived id is not a ULID');
  return id;
}

function fileHost(folder: string, slots: number, tick: () => void): DelegateHost {
  let listener: (message: HostMessage) => void = () => undefined;
  return {
    name: 'replay',
    temporaryRoots: false,
    capability: () => Promise.resolve({ delegate_task: true, slots }),
    attach: (given) => {
      listener = given;
    },
    delegate: (issued) => {
      const text = readPacket(folder, issued);
      if (text === null) return;
      tick();
      const dispatch_id = issued.payload.dispatch_id;
      const bytes = encoder.encode(text.replaceAll('{{dispatch_id}}', dispatch_id));
      listener({ message: 'result', dispatch_id, bytes });
    },
    cancel: () => undefined,
    close: () => Promise.resolve(),
  };
}

const NAMES = { poster: 'poster', reviewer: 'review', synthesis: 'synthesis' } as const;

function readPacket(folder: string, { payload }: RecordedIssue): string | null {
  const name = payload.role === 'researcher' ? (payload.lane ?? '') : NAMES[payload.role];
  const attempt = payload.attempt === 1 ? '' : `-${payload.attempt}`;
  try {
    return readFileSync(join(folder, `r${payload.round}-${name}${attempt}.json`), 'utf8');
  } catch {
    return null;
  }
}
