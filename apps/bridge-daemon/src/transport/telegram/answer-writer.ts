/**
 * Writes an answer file as a liaison does: prepared beside the questions folder, on the disk before it has its name, and
 * never over an answer that is not ours (source 004 Answer-file).
 */
import { answerFileName, type Qid } from '@x/bridge';
import { createHash } from 'node:crypto';
import { closeSync, link, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lookAtEntry, readAnswerFile } from '../../answers/read-answer.ts';
import { syncData, syncFolder } from '../../store/durable-write.ts';

const disk = { link: promisify(link) };

export interface AnswerToWrite {
  readonly qid: Qid;
  readonly answer: string;
  readonly answeredBy: string;
  /** ISO time. */
  readonly at: string;
  /** Digests of earlier versions of this answer: a file with one of them is replaced. */
  readonly replaces: readonly string[];
}

export type AnswerWriting =
  /** It lies in its place and survives a power cut. `digest`: SHA-256 of its bytes, hex. */
  | { readonly code: 'written'; readonly digest: string }
  /** Something else waits there: the first answer, or a file that is none. Nothing was changed. */
  | { readonly code: 'occupied' };

export interface AnswerWriter {
  /** Rejects with the system's error where the disk refuses; nothing was changed then. */
  write(answer: AnswerToWrite): Promise<AnswerWriting>;
  /** Removes what a kill left of a writing. Before anything else at a start. */
  sweep(): Promise<void>;
}

interface WriterParts {
  readonly questionsDir: string;
  /** On the same disk; nobody else writes there. */
  readonly preparedDir: string;
}

/** The same answer gives the same bytes, always: the bridge knows a repeat by them. */
export const answerBytes = ({ qid, answer, answeredBy, at }: Omit<AnswerToWrite, 'replaces'>): string =>
  `${JSON.stringify({ qid, answer, answered_by: answeredBy, at })}\n`;

/** SHA-256 of them, hex. */
export const answerDigest = (answer: Omit<AnswerToWrite, 'replaces'>): string =>
  createHash('sha256').update(answerBytes(answer)).digest('hex');

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Gives the file its name unless the name is taken: false then. */
const linkTo = async (prepared: string, path: string): Promise<boolean> => {
  try {
    await disk.link(prepared, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!noLinks.includes(errorCode(error))) throw error;
    // A disk without hard links: the look a moment ago must do.
    renameSync(prepared, path);
  }
  return true;
};

export const createAnswerWriter = ({ questionsDir, preparedDir }: WriterParts): AnswerWriter => {
  const uid = process.getuid?.() ?? null;

  const present = (path: string): string | null => {
    const entry = lookAtEntry(path, uid);
    if (entry.code === 'absent') return null;
    if (entry.kind !== 'file') return 'another';
    const read = readAnswerFile(path, uid);
    if (read.code === 'absent') return null;
    return read.code === 'content' && read.content.kind === 'text' ? read.digest : 'another';
  };

  return {
    write: async (answer) => {
      const bytes = answerBytes(answer);
      const digest = answerDigest(answer);
      const name = answerFileName(answer.qid);
      const path = join(questionsDir, name);
      const there = present(path);
      if (there === digest) {
        await syncFolder(questionsDir);
        return { code: 'written', digest };
      }
      if (there !== null && !answer.replaces.includes(there)) return { code: 'occupied' };
      const prepared = join(preparedDir, name);
      try {
        const fd = openSync(prepared, 'w', 0o600);
        try {
          writeFileSync(fd, bytes);
          await syncData(fd);
        } finally {
          closeSync(fd);
        }
        if (there !== null) renameSync(prepared, path);
        else if (!(await linkTo(prepared, path))) return { code: 'occupied' };
      } finally {
        rmSync(prepared, { force: true });
      }
      await syncFolder(questionsDir);
      return { code: 'written', digest };
    },
    sweep: async () => {
      for (const name of readdirSync(preparedDir)) rmSync(join(preparedDir, name), { force: true });
    },
  };
};
