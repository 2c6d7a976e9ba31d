/**
 * Stored records brought into memory at a start: what a kill left half done is finished, and log lines that are owed
 * but stand in the log already are struck off.
 */
import {
  logLine,
  placementOf,
  sameDaemon,
  step,
  type Daemon,
  type Owed,
  type QuestionRecord,
} from '@x/bridge';
import type { ContractLog } from '../log/contract-log.ts';
import type { Logger } from '../log/operational-log.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { Held } from '../store/restore-record.ts';
import type { QuestionDesk } from './question-desk.ts';

interface TakeOverParts {
  readonly store: RecordStore;
  readonly desk: QuestionDesk;
  readonly contractLog: ContractLog;
  readonly log: Logger;
  readonly daemon: Daemon;
  readonly now: () => number;
}

/** Our open questions as they lie in `pending/`. What cannot be read is left alone and reported. */
export const readPending = ({ store, log, daemon, now }: TakeOverParts): Held[] =>
  store.list('pending').flatMap((qid) => {
    const located = store.locate(qid);
    if (located === null) return [];
    const { reading, placement } = located;
    if (reading.code !== 'record') {
      log.warn({ qid, reading }, 'a record cannot be read and is left alone');
      return [];
    }
    if (!sameDaemon(reading.record.daemon, daemon)) return [];
    const { record } = step(reading.record, { event: 'restarted' }, now());
    return record === null ? [] : [{ record, placement }];
  });

const logLines = (record: QuestionRecord): Extract<Owed, { do: 'log' }>[] =>
  record.owed.filter((item) => item.do === 'log');

/** Gives the records as the desk now holds them. Never rejects; what fails is reported and stays owed. */
export const takeOver = async (found: readonly Held[], parts: TakeOverParts): Promise<QuestionRecord[]> => {
  const { store, desk, contractLog, log } = parts;
  const lines = found.flatMap(({ record }) => logLines(record).map(({ line }) => line));
  const missing = new Set<string>();
  try {
    for (const line of await contractLog.missing(lines)) missing.add(logLine(line));
  } catch (error) {
    log.error({ err: error }, 'the contract log cannot be read back; lines owed to it are appended again');
    for (const line of lines) missing.add(logLine(line));
  }

  const withLogged = (record: QuestionRecord): QuestionRecord => {
    let { owed } = record;
    for (const item of logLines(record)) {
      try {
        if (missing.has(logLine(item.line))) contractLog.append(item.line);
        owed = owed.filter((other) => other !== item);
      } catch (error) {
        log.error({ err: error, qid: record.qid }, 'the contract log takes no line');
      }
    }
    return { ...record, owed };
  };

  return Promise.all(
    found.map(async (held) => {
      const record = withLogged(held.record);
      const placement = placementOf(record);
      const unfinished =
        placement !== held.placement || (placement !== 'pending' && record.owed.length === 0);
      let lies = held.placement;
      try {
        if (unfinished) {
          await store.save(record, held.placement);
          lies = placement;
        }
      } catch (error) {
        log.error({ err: error, qid: record.qid }, 'a record could not be put in its place');
      }
      desk.adopt({ record, placement: lies });
      return record;
    }),
  );
};
