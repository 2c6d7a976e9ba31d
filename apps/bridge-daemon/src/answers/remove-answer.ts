/**
 * Taking files out of the questions folder.
 *
 * R1 What is removed is what was judged: an answer's name is set aside first, looked at, and put back where somebody
 *    has meanwhile written another answer under it.
 * R2 Nothing is followed, nothing is removed recursively.
 */
import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { answerFileName, answerFileQid, answerSuffix, parseQid, type Qid } from '@x/bridge';
import type { Folders } from '../store/folders.ts';
import { removeIfThere } from '../store/durable-write.ts';
import { lookAtEntry, readAnswerFile, type FileIdentity } from './read-answer.ts';

export type Removal =
  | { readonly code: 'removed' }
  /** Another file stands there now; it is untouched. */
  | { readonly code: 'replaced' }
  | { readonly code: 'failed'; readonly why: string };

export interface Remover {
  /** Removes the answer file of a question if its bytes have this digest. Never rejects. */
  removeAnswer(qid: Qid, digest: string): Promise<Removal>;
  /** Removes a judged entry: a folder only when empty. Never rejects. */
  removeEntry(
    name: string,
    entry: { kind: 'file' | 'folder' | 'other'; identity: FileIdentity },
  ): Promise<Removal>;
  /** Puts back what a kill left set aside. Gives the names that could not be. */
  recover(): Promise<string[]>;
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);

export const createRemover = (folders: Folders): Remover => {
  let counter = 0;

  const asideFor = (qid: Qid): string => {
    counter += 1;
    return join(folders.removing, `${qid}.${process.pid}.${counter}${answerSuffix}`);
  };

  /** Never over another file: a link refuses a taken name, and so does renaming a folder to a file's. */
  const putBack = (aside: string, path: string): void => {
    const look = lookAtEntry(aside, folders.uid);
    if (look.code === 'absent') return;
    if (look.kind === 'folder') return renameSync(aside, path);
    linkSync(aside, path);
    unlinkSync(aside);
  };

  /** Sets the file aside; removes it if `same` says so, else puts it back unless its name is taken again. */
  const removeChecked = (qid: Qid, same: (aside: string) => boolean): Removal => {
    const path = join(folders.questions, answerFileName(qid));
    const aside = asideFor(qid);
    try {
      renameSync(path, aside);
    } catch (error) {
      const code = errorCode(error);
      return code === 'ENOENT' ? { code: 'removed' } : { code: 'failed', why: code };
    }
    try {
      if (same(aside)) {
        removeIfThere(aside);
        return { code: 'removed' };
      }
      putBack(aside, path);
      return { code: 'replaced' };
    } catch (error) {
      return { code: 'failed', why: errorCode(error) };
    }
  };

  return {
    removeAnswer: async (qid, digest) =>
      removeChecked(qid, (aside) => {
        const read = readAnswerFile(aside, folders.uid);
        return read.code === 'content' && read.content.kind !== 'too_large' && read.digest === digest;
      }),
    removeEntry: async (name, { kind, identity }) => {
      const qid = answerFileQid(name);
      if (qid !== null && kind === 'file')
        return removeChecked(qid, (aside) => {
          const look = lookAtEntry(aside, folders.uid);
          const now = look.code === 'entry' ? look.identity : null;
          return now?.ino === identity.ino && now.size === identity.size && now.mtimeNs === identity.mtimeNs;
        });
      const path = join(folders.questions, name);
      try {
        if (kind === 'folder') await rmdir(path);
        else await unlink(path);
        return { code: 'removed' };
      } catch (error) {
        const code = errorCode(error);
        return code === 'ENOENT' ? { code: 'removed' } : { code: 'failed', why: code };
      }
    },
    recover: async () => {
      const stuck: string[] = [];
      for (const file of await readdir(folders.removing)) {
        const qid = parseQid(file.slice(0, file.indexOf('.')));
        if (qid === null) continue;
        try {
          putBack(join(folders.removing, file), join(folders.questions, answerFileName(qid)));
        } catch (error) {
          if (errorCode(error) !== 'ENOENT') stuck.push(file);
        }
      }
      return stuck;
    },
  };
};
