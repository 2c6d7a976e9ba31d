/**
 * A folder of immutable files named by the digest of their bytes: `<hex>.json`.
 * Boundary: bytes and digests; what they mean, and which events name them, the caller knows.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Content, ContentStore } from '../content.ts';
import { asDigest, digestOf, hexOf, type Digest } from '../digest.ts';
import type { PlannedWrite } from '../grant.ts';
import { errnoOf } from './fault.ts';
import { nodeSha256 } from './hash.ts';
import { isTemporaryName } from './place.ts';
import type { GrantedRoot } from './rooted.ts';
import type { WriteRefused } from './write-refusal.ts';

/** `folder`: relative to the root, such as `packets` or `objects`. `planned`: what each write is planned for, but its digest. */
export type ContentFolder = {
  readonly root: GrantedRoot;
  readonly folder: string;
  readonly planned: () => Omit<PlannedWrite, 'digest'>;
};

/** What lies in a content folder, compared with the digests that are named somewhere. Each list is sorted. */
export type ContentSurvey = {
  readonly named: readonly Digest[];
  /** Complete bytes that nothing names: harmless, left by a kill between the bytes and their event. */
  readonly orphans: readonly Digest[];
  /** Temporary files of writes that did not finish. */
  readonly temporary: readonly string[];
  /** Files that are not ours. */
  readonly foreign: readonly string[];
  /** Digests that are named, without a file. */
  readonly missing: readonly Digest[];
};

/** A content store in a folder of a granted root. `put` is durable when it returns: file and folder are synced. */
export type FileContentStore = ContentStore<WriteRefused> & {
  /** The file of a digest, relative to the root. */
  readonly pathOf: (digest: Digest) => string;
  /** Lists the folder; reads no content. A missing folder is an empty one. */
  readonly survey: (named: Iterable<Digest>) => ContentSurvey;
};

/** Opens a content store; its folder is made by the first `put`. Implements 03 Ledger ("Content is addressed by digest"). */
export const fileContentStore = ({ root, folder, planned }: ContentFolder): FileContentStore => {
  const pathOf = (digest: Digest): string => `${folder}/${hexOf(digest)}.json`;
  return {
    durable: true,
    pathOf,
    put: (bytes) => {
      const digest = digestOf(bytes, nodeSha256);
      const outcome = root.write({ path: pathOf(digest), bytes, planned: { ...planned(), digest } });
      return outcome.status === 'refused'
        ? outcome
        : { status: 'stored', digest, already: outcome.how === 'unchanged' };
    },
    get: (digest) => verified(root, pathOf(digest), digest),
    survey: (named) => surveyFolder(join(root.path, folder), new Set(named)),
  };
};

const verified = (root: GrantedRoot, path: string, digest: Digest): Content => {
  const found = root.read(path);
  if (found.status === 'refused') return { status: 'damaged', actual: null, reason: found.message };
  if (found.status === 'other')
    return { status: 'damaged', actual: null, reason: `${path} is ${found.found}` };
  if (found.status === 'missing') return found;
  if (found.digest === digest) return { status: 'found', bytes: found.bytes };
  return {
    status: 'damaged',
    actual: found.digest,
    reason: `${path} holds bytes with the digest ${found.digest}`,
  };
};

const contentName = /^[0-9a-f]{64}\.json$/u;

const surveyFolder = (path: string, named: ReadonlySet<Digest>): ContentSurvey => {
  const names = namesIn(path);
  const present = names
    .filter((name) => contentName.test(name))
    .map((name) => asDigest(`sha256:${name.slice(0, 64)}`));
  const there = new Set(present);
  return {
    named: present.filter((digest) => named.has(digest)),
    orphans: present.filter((digest) => !named.has(digest)),
    temporary: names.filter(isTemporaryName),
    foreign: names.filter((name) => !contentName.test(name) && !isTemporaryName(name)),
    missing: [...named].filter((digest) => !there.has(digest)).toSorted(),
  };
};

const namesIn = (path: string): string[] => {
  try {
    return readdirSync(path).toSorted();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
};
