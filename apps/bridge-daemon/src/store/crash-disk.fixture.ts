/**
 * A disk that remembers what of it would survive a power cut. It stands before `node:fs` and keeps, beside the real files,
 * what has been synced of each and of each folder.
 *
 * M1 A kill leaves all that was done. A power cut leaves what was synced, and of the rest any part: whole files, pages or
 *    sectors, holes where a file had grown, names in order or each for itself.
 * M2 It can fail once, at any step that changes something.
 */
import type * as Fs from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Gives 0 up to 1. */
export type Random = () => number;

interface FileNode {
  durable: Buffer;
  cache: Buffer;
}

interface NameChange {
  /** Of one call: a journaling disk keeps all of it or nothing. */
  readonly call: number;
  readonly path: string;
  readonly node: FileNode | null;
}

export interface DiskState {
  readonly names: Map<string, FileNode>;
  readonly durableNames: Map<string, FileNode>;
  readonly changes: NameChange[];
}

export interface CrashDisk {
  state: DiskState;
  root: string;
  /** What the system says of its start. */
  boot: string;
  /** Called after each change. */
  onChange: () => void;
  /** So many changes later one fails; negative: none. */
  failAfter: number;
}

export const emptyState = (): DiskState => ({ names: new Map(), durableNames: new Map(), changes: [] });

/** A copy that later changes leave alone: what a kill leaves. */
export const afterKill = ({ names, durableNames, changes }: DiskState): DiskState => {
  const copies = new Map<FileNode, FileNode>();
  const copy = (node: FileNode): FileNode => {
    const made = copies.get(node) ?? { durable: node.durable, cache: Buffer.from(node.cache) };
    copies.set(node, made);
    return made;
  };
  const copied = (map: Map<string, FileNode>) => new Map([...map].map(([path, node]) => [path, copy(node)]));
  return {
    names: copied(names),
    durableNames: copied(durableNames),
    changes: changes.map((change) => ({ ...change, node: change.node === null ? null : copy(change.node) })),
  };
};

/** Some of what was not synced, in units of a sector or a page. */
const torn = ({ durable, cache }: FileNode, random: Random): Buffer => {
  if (random() < 0.3) return durable;
  if (random() < 0.4) return Buffer.from(cache);
  const unit = random() < 0.5 ? 512 : 4096;
  const made = Buffer.alloc(random() < 0.5 ? durable.length : cache.length);
  for (let at = 0; at < made.length; at += unit) {
    const source = random() < 0.5 ? durable : cache;
    if (at < source.length) source.copy(made, at, at, Math.min(at + unit, source.length, made.length));
  }
  return made;
};

const put = (names: Map<string, FileNode>, { path, node }: NameChange): void => {
  if (node === null) names.delete(path);
  else names.set(path, node);
};

export const afterPowerCut = (state: DiskState, random: Random): DiskState => {
  const names = new Map(state.durableNames);
  const inOrder = random() < 0.5;
  const lastCall = state.changes[Math.floor(random() * (state.changes.length + 1))]?.call ?? Infinity;
  for (const change of state.changes)
    if (inOrder ? change.call < lastCall : random() < 0.5) put(names, change);
  const left = new Map<FileNode, FileNode>();
  for (const node of new Set(names.values())) {
    const bytes = torn(node, random);
    left.set(node, { durable: bytes, cache: Buffer.from(bytes) });
  }
  const kept = new Map([...names].map(([path, node]) => [path, left.get(node) ?? node]));
  return { names: kept, durableNames: new Map(kept), changes: [] };
};

const isForWriting = (flags: Fs.OpenMode): boolean =>
  typeof flags === 'number' ? (flags & 3) !== 0 : flags !== 'r';

const fault = (): Error => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });

type Done = (error: Error | null) => void;

/** The part of `node:fs` that the store writes by. */
export const overDisk = (real: typeof Fs, disk: CrashDisk): typeof Fs => {
  const open = new Map<number, FileNode | string>();
  let calls = 0;

  const named = (path: Fs.PathLike): string => relative(disk.root, String(path));

  /** Before each change. */
  const mayFail = (): void => {
    disk.failAfter -= 1;
    if (disk.failAfter === -1) throw fault();
  };

  const change = (...changes: Omit<NameChange, 'call'>[]): void => {
    calls += 1;
    for (const { path, node } of changes) {
      put(disk.state.names, { call: calls, path, node });
      disk.state.changes.push({ call: calls, path, node });
    }
    disk.onChange();
  };

  const opened = (path: string, fd: number): number => {
    const inDisk = named(path);
    if (inDisk.startsWith('..')) return fd;
    if (real.fstatSync(fd).isDirectory()) {
      open.set(fd, inDisk);
      return fd;
    }
    const known = disk.state.names.get(inDisk);
    const node = known ?? { durable: Buffer.alloc(0), cache: Buffer.alloc(0) };
    open.set(fd, node);
    if (known === undefined) change({ path: inDisk, node });
    return fd;
  };

  const fileOf = (fd: number): FileNode | null => {
    const found = open.get(fd);
    return found === undefined || typeof found === 'string' ? null : found;
  };

  const sync = (fd: number, done: Done): void => {
    const found = open.get(fd);
    try {
      mayFail();
    } catch (error) {
      setImmediate(() => done(error instanceof Error ? error : fault()));
      return;
    }
    const bytes = typeof found === 'object' ? Buffer.from(found.cache) : null;
    const { state } = disk;
    const before = state.changes.filter(({ path }) => dirname(path) === found);
    setImmediate(() => {
      if (typeof found === 'object' && bytes !== null) found.durable = bytes;
      for (const one of before) {
        put(state.durableNames, one);
        state.changes.splice(state.changes.indexOf(one), 1);
      }
      disk.onChange();
      done(null);
    });
  };

  const shim = {
    openSync: (path: string, flags: Fs.OpenMode, mode?: Fs.Mode) => {
      if (isForWriting(flags)) mayFail();
      return opened(path, real.openSync(path, flags, mode));
    },
    open: (
      path: string,
      flags: Fs.OpenMode,
      mode: Fs.Mode,
      done: (error: Error | null, fd?: number) => void,
    ) => {
      setImmediate(() => {
        try {
          mayFail();
          done(null, opened(path, real.openSync(path, flags, mode)));
        } catch (error) {
          done(error instanceof Error ? error : fault());
        }
      });
    },
    closeSync: (fd: number) => {
      open.delete(fd);
      real.closeSync(fd);
    },
    writeSync: (fd: number, bytes: Buffer, offset: number, length: number, at: number) => {
      mayFail();
      const written = real.writeSync(fd, bytes, offset, length, at);
      const node = fileOf(fd);
      if (node !== null) {
        const grown = Buffer.alloc(Math.max(node.cache.length, at + written));
        node.cache.copy(grown);
        bytes.copy(grown, at, offset, offset + written);
        node.cache = grown;
        disk.onChange();
      }
      return written;
    },
    ftruncateSync: (fd: number, length: number) => {
      mayFail();
      real.ftruncateSync(fd, length);
      const node = fileOf(fd);
      if (node !== null) node.cache = Buffer.from(node.cache.subarray(0, length));
      disk.onChange();
    },
    renameSync: (path: string, to: string) => {
      mayFail();
      real.renameSync(path, to);
      const node = disk.state.names.get(named(path)) ?? null;
      change({ path: named(path), node: null }, { path: named(to), node });
    },
    linkSync: (path: string, to: string) => {
      mayFail();
      real.linkSync(path, to);
      change({ path: named(to), node: disk.state.names.get(named(path)) ?? null });
    },
    unlinkSync: (path: string) => {
      mayFail();
      real.unlinkSync(path);
      change({ path: named(path), node: null });
    },
    fdatasyncSync: (fd: number) => {
      mayFail();
      const node = fileOf(fd);
      if (node !== null) node.durable = Buffer.from(node.cache);
      disk.onChange();
    },
    fdatasync: sync,
    fsync: sync,
    readFileSync: (...given: Parameters<typeof real.readFileSync>) =>
      given[0] === '/proc/sys/kernel/random/boot_id' ? disk.boot : real.readFileSync(...given),
  };
  // The overloads of what it replaces are not all there: the store uses none of the others.
  return { ...real, ...shim } as typeof Fs;
};

/** Puts the files of a state where a store finds them. */
export const layOut = (real: typeof Fs, { names }: DiskState, root: string): void => {
  const laid = new Map<FileNode, string>();
  for (const [name, node] of names) {
    const path = join(root, name);
    const other = laid.get(node);
    if (other === undefined) real.writeFileSync(path, node.cache, { mode: 0o600 });
    else real.linkSync(other, path);
    laid.set(node, path);
  }
};
