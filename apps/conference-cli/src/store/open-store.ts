/**
 * A conference folder open for writing: its ledger with the lock, its content, and writes inside the grant's root
 * (03). Without a grant the same ports in memory: nothing touches the disk.
 */
import { join, relative } from 'node:path';
import { realpathSync } from 'node:fs';
import { CONFERENCE_MD, EVENTS_JSONL, evolve, INITIAL_STATE, type State } from '@x/conference-core';
import type { ArtifactPort, ContentPort, LedgerPort } from '@x/conference-core/chair';
import {
  asDigest,
  checkGrant,
  memoryContentStore,
  memoryLedger,
  type ContentStore,
  type Digest as LedgerDigest,
  type CheckFailed,
  type WriteSituation,
} from '@x/ledger';
import {
  fileContentStore,
  openGrantedRoot,
  openLedger,
  type GrantedRoot,
  type SetAside,
  type WriteRefused,
} from '@x/ledger/node';
import { type ConferenceEvent, type Grant } from '@x/protocol';
import { grantNow } from '../grants/lithermes.ts';
import { mergeConferenceMd } from '../conference-md/merge-conference-md.ts';
import type { Failure } from '../output.ts';
import { exitCode } from '../exit-code.ts';
import { acceptRecord } from './accept-record.ts';
import { ledgerFailure } from './ledger-failure.ts';

export interface Store {
  readonly ledger: LedgerPort;
  readonly objects: ContentPort;
  readonly packets: ContentPort;
  /** Null without a grant. */
  readonly artifacts: ArtifactPort | null;
  /** What the ledger folds to as it was opened. */
  readonly state: State;
  /** Bytes that were set aside in opening, to be reported. */
  readonly setAside: SetAside | null;
  /** Says who holds the lock and where it takes commands. */
  announce(label: { readonly purpose?: string; readonly controlSocket?: string }): void;
  close(): Promise<void>;
}

export type OpenedStore =
  | { readonly ok: true; readonly store: Store }
  | { readonly ok: false; readonly failure: Failure };

export function memoryStore(): Store {
  const ledger = memoryLedger();
  return {
    ledger,
    objects: contentPort(memoryContentStore()),
    packets: contentPort(memoryContentStore()),
    artifacts: null,
    state: INITIAL_STATE,
    setAside: null,
    announce: () => undefined,
    close: () => ledger.close(),
  };
}

export interface OpenStoreOptions {
  readonly folder: string;
  /** What is given now; else the one that the ledger holds counts. */
  readonly grant: Grant | null;
  readonly create: boolean;
  readonly lockWaitMs: number;
  readonly purpose: string;
  /** A person decided to keep what stands before this line; it and all after it are set aside. */
  readonly keepVerifiedPrefix?: { readonly line: number };
}

/** Opens, verifies and folds. Never throws for what the disk or a second process does. */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { folder, lockWaitMs, purpose } = options;
  let state = INITIAL_STATE;
  let grant: Grant | null = options.grant;
  let revision = 0;
  const activeGrant = (): Grant | null => {
    const given = grant ?? state.grant;
    return given === null ? null : grantNow(given);
  };
  const situation = () => ({
    grant: activeGrant(),
    now: new Date().toISOString(),
    revision,
    accepts: () => true,
  });
  const opened = await openLedger(join(folder, EVENTS_JSONL), {
    create: options.create ? 'if_missing' : 'never',
    lockWaitMs,
    purpose,
    accept: (record) => {
      const read = acceptRecord(record);
      return typeof read === 'string' ? read : null;
    },
    ...(options.keepVerifiedPrefix === undefined ? {} : { keepVerifiedPrefix: options.keepVerifiedPrefix }),
    onRecord: (record) => {
      const event = acceptRecord(record);
      if (typeof event !== 'string') state = evolve(state, event);
    },
    authorize: () => checkNow(grant ?? state.grant, situation()),
  });
  if (opened.status === 'refused') return { ok: false, failure: ledgerFailure(opened) };
  const active = grant ?? state.grant;
  if (active === null) {
    await opened.ledger.close();
    return {
      ok: false,
      failure: {
        code: 'GRANT_REQUIRED',
        message: `${folder} has no grant: give --write-to or --grant${asideText(opened.setAside)}`,
        exit: exitCode.asked,
      },
    };
  }
  grant = active;
  const root = openGrantedRoot(active, { situation });
  if (root.status === 'refused') {
    await opened.ledger.close();
    return { ok: false, failure: { code: root.code, message: root.message, exit: exitCode.failed } };
  }
  const prefix = relative(active.root, realpathSync(folder));
  if (prefix.startsWith('..')) {
    await opened.ledger.close();
    root.root.close();
    const message = `${folder} is not inside ${active.root}, the root of grant ${active.grant_id}: the ledger may not be written there`;
    return { ok: false, failure: { code: 'GRANT_REQUIRED', message, exit: exitCode.asked } };
  }
  const { ledger } = opened;
  const port: LedgerPort = {
    get head() {
      return ledger.head;
    },
    durable: true,
    append: (expected, entries: readonly ConferenceEvent[]) => {
      // The Chair hands back the head that this ledger gave it.
      const appended = ledger.append(expected as typeof ledger.head, entries);
      revision = ledger.head.seq;
      return appended;
    },
    close: () => ledger.close(),
  };
  revision = ledger.head.seq;
  const planned = () => ({ grant_id: active.grant_id, grant_revision: active.revision, revision });
  const inFolder = (path: string): string => (prefix === '' ? path : `${prefix}/${path}`);
  const store: Store = {
    ledger: port,
    objects: contentPort(fileContentStore({ root: root.root, folder: inFolder('objects'), planned })),
    packets: contentPort(fileContentStore({ root: root.root, folder: inFolder('packets'), planned })),
    artifacts: artifactPort(root.root, { folder: realpathSync(folder), inFolder, planned }),
    state,
    setAside: opened.setAside,
    announce: (label) => ledger.announce(label),
    close: async () => {
      await ledger.close();
      root.root.close();
    },
  };
  return { ok: true, store };
}

/** Bytes that opening set aside are said, also where nothing follows (01 Recovery). */
function asideText(setAside: SetAside | null): string {
  return setAside === null
    ? ''
    : `; ${setAside.bytes} torn bytes at the end of its ledger were set aside in ${setAside.path}`;
}

/** Both packages spell a digest alike; each has its own brand for it. */
function contentPort(store: ContentStore<WriteRefused>): ContentPort {
  return { put: (bytes) => store.put(bytes), get: (digest) => store.get(asDigest(digest)) };
}

/** The ledger is written under the same checks as every other file: grant, and the revision it was given at. */
function checkNow(given: Grant | null, now: WriteSituation): CheckFailed | null {
  const failed = checkGrant(now.grant, now.now);
  if (failed !== null || now.grant === null || now.grant.revision === given?.revision) return failed;
  const reason = `the grant was given at revision ${given?.revision ?? 0}, its work state is at ${now.grant.revision}: give it again`;
  return { status: 'refused', check: 'revision', reason };
}

/** How the files of a conference folder are written inside the grant. */
interface FolderWrites {
  /** Absolute. */
  readonly folder: string;
  /** The path below the grant's root of a path below the folder. */
  readonly inFolder: (path: string) => string;
  readonly planned: () => {
    readonly grant_id: string;
    readonly grant_revision: number;
    readonly revision: number;
  };
}

function artifactPort(root: GrantedRoot, { folder, inFolder, planned }: FolderWrites): ArtifactPort {
  const place = (path: string, bytes: Uint8Array, replaces: readonly LedgerDigest[]) =>
    root.write({ path: inFolder(path), bytes, planned: { ...planned(), digest: null }, replaces });
  return {
    write: (path, bytes, replaces) => {
      const written = place(path, bytes, replaces === null ? [] : [asDigest(replaces)]);
      return written.status === 'written'
        ? { status: 'written' }
        : { status: 'refused', code: written.code, message: written.message };
    },
    mergeConferenceMd: (merge) =>
      mergeConferenceMd(
        {
          folder,
          read: () => root.read(inFolder(CONFERENCE_MD)),
          write: (bytes, replaces) => place(CONFERENCE_MD, bytes, replaces === null ? [] : [replaces]),
        },
        merge,
      ),
  };
}
