/** Looking for a question in the journals of all daemons that keep their records in one place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Qid } from '@x/bridge';
import { readChapter } from './journal-format.ts';

const journalFile = /^journal\.[0-9a-f]{16}\.([1-9]\d{0,14})$/;

/**
 * Whether a journal in this folder has the question, so that it is somebody's though it has no file: a power cut may have
 * taken that, and its daemon puts it back when it starts. Throws the system's error; a journal that goes meanwhile counts
 * as one that has it, and the question's file is there by then.
 */
export const isJournaled = (folder: string, qid: Qid): boolean =>
  readdirSync(folder).some((file) => {
    const number = journalFile.exec(file)?.[1];
    if (number === undefined) return false;
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(folder, file));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
      throw error;
    }
    // Most have it nowhere: that is seen without taking them apart.
    if (!bytes.includes(` ${qid} `)) return false;
    return readChapter(bytes.toString('utf8'), Number(number)).entries.some(({ key }) => key === qid);
  });
