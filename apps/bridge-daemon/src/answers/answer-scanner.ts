/**
 * Every file in the questions folder, looked at once and judged: accepted, rejected, waited for, or left alone (source
 * 004 Answer-file, 05).
 *
 * A1 One look at a name at a time; a change that is noticed meanwhile leads to another look.
 * A2 A rejection is logged once, before its file goes.
 * A3 An accepted file stays until the record that holds its answer says it may go.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  answerFileQid,
  answerSuffix,
  detailText,
  graceMs,
  judgeAnswerFile,
  logRecord,
  type Answer,
  type AnswerCandidate,
  type AnswerVerdict,
  type Qid,
  type Standing,
} from '@x/bridge';
import { daemonLimits } from '../limits.ts';
import type { ContractLog } from '../log/contract-log.ts';
import type { Logger } from '../log/operational-log.ts';
import type { Folders } from '../store/folders.ts';
import { isJournaled } from '../store/journaled.ts';
import { lookAtEntry, readAnswerFile, type EntryLook, type FileIdentity } from './read-answer.ts';
import type { Remover } from './remove-answer.ts';

/** Who knows the questions. */
export interface AnswerSink {
  standing(qid: Qid): Promise<Standing>;
  /** False where the answer could not be stored: its file must stay and be looked at again. */
  answered(qid: Qid, given: { readonly answer: Answer; readonly digest: string }): Promise<boolean>;
}

export type LookOutcome = 'gone' | 'waiting' | 'settled';

export interface AnswerScanner {
  /** Looks at one name. Never rejects. `waiting`: it may still become an answer. */
  look(name: string): Promise<LookOutcome>;
  /** Looks at every name there is, and forgets those that are gone. Rejects where the folder cannot be read. */
  pass(): Promise<void>;
  close(): void;
}

interface ScannerParts {
  readonly folders: Folders;
  readonly sink: AnswerSink;
  readonly remover: Remover;
  readonly contractLog: ContractLog;
  readonly log: Logger;
  readonly pollMs: number;
  readonly now: () => number;
}

/** What is remembered of a name while its file is there. */
interface Sighting {
  readonly ino: bigint;
  /** By the clock that nobody sets: a jump of the wall clock must neither end the grace window nor stretch it. */
  readonly firstSeenMs: number;
  timer: NodeJS.Timeout | null;
  /** The state of the file about which something was said already. */
  reported: string | null;
}

type Entry = Extract<EntryLook, { code: 'entry' }>;

const keyOf = ({ ino, size, mtimeNs, ctimeNs }: FileIdentity): string =>
  `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

export const createAnswerScanner = (parts: ScannerParts): AnswerScanner => {
  const { folders, sink, remover, contractLog, log, now } = parts;
  const grace = graceMs(parts.pollMs);
  const sightings = new Map<string, Sighting>();
  const running = new Map<string, { again: boolean; done: Promise<LookOutcome> }>();
  let closed = false;

  const forget = (name: string): void => {
    const known = sightings.get(name);
    if (known?.timer) clearTimeout(known.timer);
    sightings.delete(name);
  };

  const sight = (name: string, identity: FileIdentity): Sighting => {
    const known = sightings.get(name);
    if (known?.ino === identity.ino) return known;
    forget(name);
    const fresh: Sighting = {
      ino: identity.ino,
      firstSeenMs: performance.now(),
      timer: null,
      reported: null,
    };
    sightings.set(name, fresh);
    return fresh;
  };

  /** Says something about a file once, until the file changes. */
  const reportOnce = (sighting: Sighting, identity: FileIdentity, say: () => void): void => {
    const key = keyOf(identity);
    if (sighting.reported === key) return;
    sighting.reported = key;
    say();
  };

  const reject = async (
    name: string,
    entry: Entry,
    verdict: Extract<AnswerVerdict, { code: 'rejected' }>,
  ): Promise<LookOutcome> => {
    const sighting = sight(name, entry.identity);
    const qid = answerFileQid(name) ?? detailText(name.replace(answerSuffix, ''));
    const detail = { reason: verdict.reason, file: detailText(name), detail: detailText(verdict.detail) };
    reportOnce(sighting, entry.identity, () => {
      contractLog.append(logRecord(now(), { qid, event: 'answer_rejected' }, detail));
      log.warn(detail, 'answer rejected');
    });
    const removal = await remover.removeEntry(name, entry);
    if (removal.code === 'removed') forget(name);
    if (removal.code === 'failed' && sighting.reported !== null && !sighting.reported.startsWith('stuck ')) {
      log.error({ file: detailText(name), why: removal.why }, 'a rejected file cannot be removed and stays');
      // Its folder's times change when something in it does; only the inode says that it is another one.
      sighting.reported = `stuck ${entry.identity.ino}`;
    }
    return 'settled';
  };

  const wait = (name: string, sighting: Sighting): LookOutcome => {
    const leftMs = sighting.firstSeenMs + grace - performance.now();
    sighting.timer ??= setTimeout(
      () => {
        sighting.timer = null;
        void look(name);
      },
      Math.max(1, leftMs),
    );
    return 'waiting';
  };

  const unreadable = (name: string, entry: Entry, why: string): LookOutcome => {
    reportOnce(sight(name, entry.identity), entry.identity, () =>
      log.error(
        { file: detailText(name), why },
        'an answer file cannot be read; it is looked at when it changes',
      ),
    );
    return 'settled';
  };

  const settle = async (
    name: string,
    entry: Entry,
    digest: string,
    verdict: AnswerVerdict,
  ): Promise<LookOutcome> => {
    if (verdict.code === 'accepted') {
      const { qid, answer } = verdict;
      return (await sink.answered(qid, { answer, digest })) ? 'settled' : 'waiting';
    }
    if (verdict.code !== 'rejected') return 'settled';
    const sighting = sight(name, entry.identity);
    if (verdict.graced && performance.now() - sighting.firstSeenMs < grace) return wait(name, sighting);
    return reject(name, entry, verdict);
  };

  const standingOf = async (qid: Qid): Promise<Standing> => {
    const standing = await sink.standing(qid);
    return standing === 'nobody' && isJournaled(folders.writing, qid) ? 'elsewhere' : standing;
  };

  const lookOnce = async (name: string): Promise<LookOutcome> => {
    const path = join(folders.questions, name);
    const entry = lookAtEntry(path, folders.uid);
    if (entry.code === 'absent') {
      forget(name);
      return 'gone';
    }
    const stuck = sightings.get(name)?.reported === `stuck ${entry.identity.ino}`;
    if (stuck) return 'settled';
    let candidate: AnswerCandidate = { name, entry: entry.kind === 'file' ? 'file' : 'other' };
    let digest = '';
    let seen = entry;
    // Two facts at most are ever asked for.
    for (let asked = 0; asked < 3; asked += 1) {
      const verdict = judgeAnswerFile(candidate);
      if (verdict.code !== 'needs') return settle(name, seen, digest, verdict);
      if (verdict.fact === 'standing') {
        candidate = { ...candidate, standing: await standingOf(verdict.qid) };
        continue;
      }
      const read = readAnswerFile(path, folders.uid);
      if (read.code === 'absent') return 'gone';
      if (read.code === 'unreadable') return unreadable(name, entry, read.why);
      if (read.code === 'changed') return lookAgainSoon(name);
      seen = { ...entry, identity: read.identity };
      ({ digest } = read);
      candidate = { ...candidate, content: read.content };
    }
    return 'settled';
  };

  const lookAgainSoon = (name: string): LookOutcome => {
    const known = running.get(name);
    if (known) known.again = true;
    return 'waiting';
  };

  const lookUntilQuiet = async (name: string, state: { again: boolean }): Promise<LookOutcome> => {
    let outcome: LookOutcome = 'settled';
    // A file that never stops changing is met again by the next pass.
    for (let looks = 0; looks < 5; looks += 1) {
      state.again = false;
      try {
        outcome = await lookOnce(name);
      } catch (error) {
        log.error(
          { err: error, file: detailText(name) },
          'an answer file could not be judged; it is tried again',
        );
        outcome = 'waiting';
        break;
      }
      if (!state.again) break;
    }
    // In the same turn as the last check, so that no change is noticed in between and lost.
    running.delete(name);
    return outcome;
  };

  const look = (name: string): Promise<LookOutcome> => {
    if (closed) return Promise.resolve('waiting');
    const known = running.get(name);
    if (known) {
      known.again = true;
      return known.done;
    }
    const state = { again: false, done: Promise.resolve<LookOutcome>('settled') };
    running.set(name, state);
    state.done = lookUntilQuiet(name, state);
    return state.done;
  };

  return {
    look,
    pass: async () => {
      const names = readdirSync(folders.questions).slice(0, daemonLimits.entriesPerPass);
      const present = new Set(names);
      for (const name of sightings.keys()) if (!present.has(name)) forget(name);
      const lookThrough = async (): Promise<void> => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) await look(name);
      };
      await Promise.all(Array.from({ length: daemonLimits.looksAtOnce }, lookThrough));
    },
    close: () => {
      closed = true;
      for (const name of sightings.keys()) forget(name);
    },
  };
};
