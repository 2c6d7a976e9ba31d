/** The content of a folder for readers: digests are verified on reading, nothing can be put. */
import type { ContentPort } from '@x/conference-core/chair';
import { asDigest } from '@x/ledger';
import { fileContentStore, openGrantedRoot } from '@x/ledger/node';

export interface ReadingContent {
  readonly objects: ContentPort;
  readonly packets: ContentPort;
  readonly close: () => void;
}

/** `root`: the real path of the folder. */
export function readingContent(root: string): ReadingContent {
  const opened = openGrantedRoot(
    { grant_id: 'reader', root, actions: ['write'], revision: 0, granted_by: 'nobody' },
    // No grant is active, so that every write is refused.
    { situation: () => ({ grant: null, now: new Date(0).toISOString(), revision: 0, accepts: () => false }) },
  );
  if (opened.status === 'refused') throw new Error(opened.message);
  const planned = () => ({ grant_id: 'reader', grant_revision: 0, revision: 0 });
  const content = (folder: string): ContentPort => {
    const store = fileContentStore({ root: opened.root, folder, planned });
    return { put: (bytes) => store.put(bytes), get: (digest) => store.get(asDigest(digest)) };
  };
  return { objects: content('objects'), packets: content('packets'), close: () => opened.root.close() };
}
