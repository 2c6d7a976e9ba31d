/**
 * The contract log, `log.ndjson`: one event a line, appended in one write before anything follows from it (source 004
 * ndjson logging, 05).
 *
 * L1 A line is in the file when `append` returns; a kill loses none.
 * L2 Rotation renames to a name of its own, so two daemons that rotate at once lose nothing; the lock only keeps them
 *    from making two small files.
 * L3 After a write cut short by a full disk the next line starts on a line of its own.
 */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { logLine, type LogRecord } from '@x/bridge';
import { daemonLimits } from '../limits.ts';

export interface ContractLog {
  /** Throws where the line could not be written; it is then not in the log. */
  append(record: LogRecord): void;
  /** Which of these lines the log does not hold yet. Reads all its files. */
  missing(records: readonly LogRecord[]): Promise<LogRecord[]>;
  close(): void;
}

export interface ContractLogOptions {
  readonly bytesMax?: number;
  readonly rotatedMax?: number;
  /** Told of a rotation that failed; the log goes on in the old file. */
  readonly onFault?: (error: unknown) => void;
}

const newline = 0x0a;

const openLog = (path: string): number =>
  openSync(
    path,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    0o600,
  );

const endsInsideLine = (fd: number): boolean => {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== newline;
};

let rotations = 0;

/** A name that no other rotation uses: of this moment, this process and this count of its own. */
const rotatedName = (log: string, now: number): string => {
  rotations += 1;
  const stem = basename(log, '.ndjson');
  const at = new Date(now).toISOString().replaceAll(/[-:.]/g, '');
  return join(dirname(log), `${stem}.${at}.${process.pid}-${rotations}.ndjson`);
};

const rotatedFiles = (log: string): string[] => {
  const stem = basename(log, '.ndjson');
  const rotated = new RegExp(`^${stem.replaceAll(/[^\\w]/g, '\\$&')}\\.\\d{8}T\\d{9}Z\\.\\d+-\\d+\\.ndjson$`);
  return readdirSync(dirname(log))
    .filter((file) => rotated.test(file))
    .toSorted()
    .map((file) => join(dirname(log), file));
};

/** Takes the lock, or says that another daemon has it. A lock that a kill left behind gives way by its age. */
const underLock = (lock: string, run: () => void): void => {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
  } catch {
    const left = statSync(lock, { throwIfNoEntry: false });
    if (left !== undefined && Date.now() - left.mtimeMs > daemonLimits.logLockMs)
      rmSync(lock, { force: true });
    return;
  }
  try {
    run();
  } finally {
    rmSync(lock, { force: true });
  }
};

const linesOf = async (path: string, wanted: Set<string>): Promise<void> => {
  const input = createReadStream(path, { encoding: 'utf8' });
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) wanted.delete(`${line}\n`);
  } catch (error) {
    // A file rotated away between listing and reading is read under its new name, or was the oldest.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  } finally {
    input.destroy();
  }
};

/** Opens the log (0600), making it where it is missing. Throws where that fails. */
export const openContractLog = (path: string, options: ContractLogOptions = {}): ContractLog => {
  const { bytesMax = daemonLimits.logBytes, rotatedMax = daemonLimits.rotatedLogs, onFault } = options;
  let fd = openLog(path);
  let held = fstatSync(fd);
  let torn = endsInsideLine(fd);

  const reopen = (): Stats => {
    const next = openLog(path);
    closeSync(fd);
    fd = next;
    held = fstatSync(fd);
    torn = endsInsideLine(fd);
    return held;
  };

  /** Another daemon may have rotated: what we hold open is then no longer what the name says. Gives its size. */
  const follow = (): number => {
    const named = statSync(path, { throwIfNoEntry: false });
    const isHeld = named !== undefined && named.ino === held.ino && named.dev === held.dev;
    return (isHeld ? named : reopen()).size;
  };

  const rotate = (): void => {
    underLock(join(dirname(path), 'log.lock'), () => {
      if (follow() < bytesMax) return;
      renameSync(path, rotatedName(path, Date.now()));
      reopen();
      const files = rotatedFiles(path);
      for (const oldest of files.slice(0, Math.max(0, files.length - rotatedMax)))
        rmSync(oldest, { force: true });
    });
  };

  return {
    append: (record) => {
      const size = follow();
      const bytes = Buffer.from((torn ? '\n' : '') + logLine(record));
      const written = writeSync(fd, bytes);
      torn = written < bytes.length;
      if (torn) throw new Error(`the log took ${written} of ${bytes.length} bytes`);
      try {
        if (size + written >= bytesMax) rotate();
      } catch (error) {
        onFault?.(error);
      }
    },
    missing: async (records) => {
      const wanted = new Set(records.map(logLine));
      if (wanted.size > 0) for (const file of [...rotatedFiles(path), path]) await linesOf(file, wanted);
      return records.filter((record) => wanted.has(logLine(record)));
    },
    close: () => closeSync(fd),
  };
};
