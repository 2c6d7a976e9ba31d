/** Folders of their own for a test of the store, with the lives of a daemon that follow each other in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Daemon } from '@x/bridge';
import { openFolders, type Folders } from './folders.ts';
import { ours } from './record-store.fixture.ts';
import { openRecordStore, type RecordStore } from './record-store.ts';

export interface StoreWorld {
  readonly root: string;
  readonly folders: Folders;
  /** The first life. */
  readonly store: RecordStore;
  /** Another life, of the same daemon where none is named, after a kill of the one before. */
  restarted(of?: Daemon): RecordStore;
  end(): Promise<void>;
}

export const createStoreWorld = (): StoreWorld => {
  const root = mkdtempSync(join(tmpdir(), 'bd-store-'));
  const opened = openFolders(join(root, 'b', 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  const { folders } = opened;
  const store = openRecordStore(folders, ours);
  const lives = [store];
  return {
    root,
    folders,
    store,
    restarted: (of = ours) => {
      const after = openRecordStore(folders, of);
      after.sweep();
      lives.push(after);
      return after;
    },
    end: async () => {
      for (const life of lives) await life.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
};
