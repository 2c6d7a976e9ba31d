/**
 * A conference folder as a host: the same ids, order, times, packets, failures and answers (07 Hosts).
 *
 * The recording drives: each turn hands over the next thing that came from outside, under the time at which it was
 * recorded. Artifacts are made anew.
 */
import { join } from 'node:path';
import type { Command } from '@x/conference-core';
import type { Asker, Clock, HostMessage } from '@x/conference-core/chair';
import { usage } from '../../output.ts';
import { digestHex, type ConferenceEvent, type DecisionOption, type Digest } from '@x/protocol';
import { readFolder } from '../../store/read-folder.ts';
import { fileBytes, fileDigest } from '../../store/regular-file.ts';
import type { OpenedReplay, Replay } from './replay.ts';
import { followFindings } from './root-findings.ts';

type Received = Extract<ConferenceEvent, { event: 'dispatch.received' }>;
type Failed = Extract<ConferenceEvent, { event: 'dispatch.failed' }>;

export async function openLedgerReplay(folder: string): Promise<OpenedReplay> {
  const events: ConferenceEvent[] = [];
  const read = await readFolder(folder, (event) => void events.push(event));
  if (!read.ok) return { ok: false, failure: read.failure };
  return replayOf(folder, events);
}

function replayOf(folder: string, events: readonly ConferenceEvent[]): OpenedReplay {
  const planned = events.find((event) => event.event === 'conference.planned');
  if (planned?.event !== 'conference.planned') {
    return {
      ok: false,
      failure: usage('HOST_INVALID', `--host replay: the ledger in ${folder} plans no conference`),
    };
  }
  const gone = events.find(
    (event) =>
      event.event === 'dispatch.received' &&
      fileDigest(packetPath(folder, event.payload.digest)) !== event.payload.digest,
  );
  if (gone?.event === 'dispatch.received') {
    const message = `--host replay: ${packetPath(folder, gone.payload.digest)} is not the packet that the ledger there names: see conference verify ${folder}`;
    return { ok: false, failure: usage('HOST_INVALID', message) };
  }
  const started = events.find((event) => event.event === 'conference.started');
  const recorded = started?.event === 'conference.started' ? started.payload : null;
  const player = playerOf(folder, events);
  const replay: Replay = {
    clock: player.clock,
    asker: player.asker,
    ended: player.ended,
    follow: player.follow,
    conferenceId: () => planned.payload.conference_id,
    host: () => ({
      name: recorded?.host ?? 'replay',
      temporaryRoots: recorded?.temporary_roots ?? false,
      capability: () =>
        Promise.resolve({ delegate_task: true, slots: recorded?.slots ?? 1, reports_cost: true }),
      attach: player.attach,
      delegate: () => undefined,
      cancel: () => undefined,
      close: () => Promise.resolve(),
    }),
  };
  return { ok: true, replay };
}

interface Player {
  readonly clock: Clock;
  readonly asker: Asker;
  readonly ended: AbortSignal;
  readonly follow: Replay['follow'];
  readonly attach: (listener: (message: HostMessage) => void) => void;
}

/** Hands over what came from outside, in order, each under its recorded time; everything else follows from it. */
function playerOf(folder: string, events: readonly ConferenceEvent[]): Player {
  const times = recordedTimes(events);
  const outside = events.filter(isOutside);
  const asked = new Map<string, (option: DecisionOption | null) => void>();
  const end = new AbortController();
  let next = 0;
  let now = Date.parse(events[0]?.timestamp ?? '1970-01-01T00:00:00.000Z');
  let listener: (message: HostMessage) => void = () => undefined;

  const answer = (decisionId: string, option: DecisionOption | null): void => {
    asked.get(decisionId)?.(option);
    asked.delete(decisionId);
  };
  /** Nothing more came from outside: whoever was asked last gave no answer, or the run was stopped there. */
  const finish = (): void => {
    if (asked.size === 0) return end.abort();
    // A copy: answering takes the question out of the map.
    const open = Array.from(asked.keys());
    for (const decisionId of open) answer(decisionId, null);
  };
  const advance = (): void => {
    const event = outside[next];
    if (event === undefined) return finish();
    next += 1;
    now = Math.max(now, Date.parse(event.timestamp));
    if (event.event === 'decision.answered') answer(event.payload.decision_id, event.payload.option);
    else listener(messageOf(folder, event));
  };
  const follow: Replay['follow'] = (chair, options) =>
    followFindings(chair, { ...options, events }, ({ command, at_ms }) => {
      now = Math.max(now, at_ms);
      listener({ message: 'recorded', command });
    });
  return {
    ended: end.signal,
    follow,
    attach: (given) => {
      listener = given;
    },
    clock: {
      now: (command) => {
        const at = command === undefined ? undefined : takeTime(times, keyOf(command));
        if (at !== undefined) now = Math.max(now, at);
        return now;
      },
      sleepUntil: (_ms, signal) => {
        if (!signal.aborted) advance();
        return new Promise((resolve) => setImmediate(resolve));
      },
    },
    asker: {
      name: answererOf(events),
      ask: ({ decision_id }) => new Promise((resolve) => asked.set(decision_id, resolve)),
    },
  };
}

/** A cancel is recorded as its transition, a reached budget too; both happen at a time of their own. */
function isOutside(event: ConferenceEvent): boolean {
  if (event.event === 'state.transitioned') {
    return cancelReason(event) !== null || event.payload.next_state === 'BUDGET_STOP';
  }
  return (
    event.event === 'decision.answered' ||
    (event.event.startsWith('dispatch.') &&
      event.event !== 'dispatch.issued' &&
      event.event !== 'dispatch.cancelled') ||
    (event.event === 'conference.blocked' && event.payload.code === 'BLOCKED_DISPATCH_REPLAY_CONFLICT')
  );
}

const CANCELLED_BY = 'the user cancelled: ';

function cancelReason(event: ConferenceEvent): string | null {
  if (event.event !== 'state.transitioned' || event.payload.next_state !== 'CANCELLED') return null;
  const { reason } = event.payload;
  return reason.startsWith(CANCELLED_BY) ? reason.slice(CANCELLED_BY.length) : null;
}

function messageOf(folder: string, event: ConferenceEvent): HostMessage {
  switch (event.event) {
    case 'dispatch.received':
      return received(folder, event);
    case 'dispatch.failed':
      return failed(event);
    case 'dispatch.duplicate': {
      const { dispatch_id, digest } = event.payload;
      return { message: 'recorded', command: { command: 'result', dispatch_id, digest, bytes: 0 } };
    }
    case 'dispatch.stale': {
      const { dispatch_id, digest, bytes } = event.payload;
      return { message: 'recorded', command: { command: 'result', dispatch_id, digest, bytes } };
    }
    case 'conference.blocked': {
      const { dispatch_id = '', digest, bytes = 0 } = event.payload;
      if (digest === undefined) return { message: 'recorded', command: { command: 'expire' } };
      return { message: 'recorded', command: { command: 'result', dispatch_id, digest, bytes } };
    }
    default: {
      const reason = cancelReason(event);
      return {
        message: 'recorded',
        command: reason === null ? { command: 'expire' } : { command: 'cancel', reason },
      };
    }
  }
}

function packetPath(folder: string, digest: Digest): string {
  return join(folder, 'packets', `${digestHex(digest)}.json`);
}

function received(folder: string, { payload }: Received): HostMessage {
  const { dispatch_id, digest, cost } = payload;
  // It was there when the recording was opened; one that has gone since is refused as what it is by then: no packet.
  const bytes = fileBytes(packetPath(folder, digest)) ?? new Uint8Array();
  return { message: 'result', dispatch_id, bytes, ...(cost === undefined ? {} : { cost }) };
}

/** The bytes of a refused packet are kept nowhere; what was said of them is replayed. */
function failed({ payload }: Failed): HostMessage {
  const { dispatch_id, code, reason, digest, bytes = 0, rules = '', cost } = payload;
  if (digest === undefined) {
    return {
      message: 'failed',
      dispatch_id,
      code: code === 'host_lost' ? code : 'host_failed',
      reason,
      ...(cost === undefined ? {} : { cost }),
    };
  }
  const admission = { ok: false as const, code, reason, rules };
  return {
    message: 'recorded',
    command: {
      command: 'result',
      dispatch_id,
      digest,
      bytes,
      admission,
      ...(cost === undefined ? {} : { cost }),
    },
  };
}

/** When each command was carried out, by what it was about; one file can be written more than once. */
function recordedTimes(events: readonly ConferenceEvent[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const event of events) {
    const key = keyOfEvent(event);
    if (key === null) continue;
    const known = times.get(key) ?? [];
    known.push(Date.parse(event.timestamp));
    times.set(key, known);
  }
  return times;
}

function takeTime(times: Map<string, number[]>, key: string): number | undefined {
  const known = times.get(key);
  return known === undefined || known.length < 2 ? known?.[0] : known.shift();
}

function keyOfEvent(event: ConferenceEvent): string | null {
  switch (event.event) {
    case 'dispatch.issued':
      return `issue ${event.payload.dispatch_id}`;
    case 'artifact.written':
      // Not by its digest: the report of a replay says that it is one.
      return `written ${event.payload.path}`;
    case 'conference.planned':
      return 'plan';
    case 'grant.activated':
      return 'grant';
    case 'conference.confirmed':
      return 'confirm';
    case 'conference.started':
      return 'attach';
    case 'decision.answered':
      return `answer ${event.payload.decision_id}`;
    case 'conference.completed':
    case 'conference.cancelled':
      return 'close';
    default:
      return null;
  }
}

function keyOf(command: Command): string {
  switch (command.command) {
    case 'issue':
      return `issue ${command.dispatch_id}`;
    case 'written':
      return `written ${command.path}`;
    case 'answer':
      return `answer ${command.decision_id}`;
    default:
      return command.command;
  }
}

function answererOf(events: readonly ConferenceEvent[]): string {
  const answered = events.find((event) => event.event === 'decision.answered');
  return answered?.event === 'decision.answered' ? answered.payload.answered_by : 'replay';
}
