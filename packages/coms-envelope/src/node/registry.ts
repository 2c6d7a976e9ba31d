/**
 * The registry as files: who is there, and our own entry (04 Registry).
 *
 * Boundary: entry files. Names are claimed in `claim.ts`; sockets are elsewhere.
 *
 * G1 One bad file hides nobody else: it becomes a warning.
 * G2 Pruning removes the entry that was judged dead and no other, also when a new owner has just replaced it.
 */
import { linkSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isLive, readEntry, type EntryReading, type PidState, type RegistryEntry } from '../entry.ts';
import { defaultLimits, entryBytesMax } from '../limits.ts';
import { isPeerName, isProjectName } from '../name.ts';
import type { Coms } from './coms-folder.ts';
import { readSmallFile, removeFile, replaceFile, systemCode } from './safe-file.ts';

const extension = '.json';
/** Entries read before other work gets its turn: a folder of thousands must not stall a server. */
const entriesPerTurn = 256;

/** A file that was passed over, and why; `message` is one line for a person. */
export interface RegistryWarning {
  readonly path: string;
  readonly message: string;
}

export interface Peer {
  readonly project: string;
  readonly entry: RegistryEntry;
}

export interface Listing {
  readonly peers: readonly Peer[];
  readonly warnings: readonly RegistryWarning[];
  /** How many dead entries were removed. */
  readonly pruned: number;
}

/** `kill(pid, 0)`: ESRCH is dead; success and EPERM are alive. */
function pidState(pid: number): PidState {
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return systemCode(error) === 'ESRCH' ? 'dead' : 'alive';
  }
}

export function agentsDir(coms: Coms, project: string): string {
  return join(coms.root, 'projects', project, 'agents');
}

function entryPath(coms: Coms, project: string, name: string): string {
  return join(agentsDir(coms, project), name + extension);
}

/** An entry file, absent, or not usable. Never throws. */
export type EntryLookup =
  | { readonly kind: 'entry'; readonly entry: RegistryEntry }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly message: string };

/** Of a peer that sends much, the entry that was read last: as long as its text is the same, so is its meaning. */
const lastRead = new Map<string, { readonly text: string; readonly reading: EntryReading }>();
const lastReadMax = 256;

function readEntryOf(path: string, text: string, name: string): EntryReading {
  const known = lastRead.get(path);
  if (known?.text === text) return known.reading;
  const reading = readEntry(text, name);
  if (lastRead.size >= lastReadMax) lastRead.clear();
  lastRead.set(path, { text, reading });
  return reading;
}

/** Reads the entry of a name as it stands, live or not. */
export function lookUp(coms: Coms, project: string, name: string): EntryLookup {
  const path = entryPath(coms, project, name);
  const file = readSmallFile(path, entryBytesMax, coms.uid);
  if (!file.ok) {
    return file.code === 'ABSENT'
      ? { kind: 'absent' }
      : { kind: 'unusable', message: `ignored: ${file.problem}` };
  }
  const read = readEntryOf(path, file.text, name);
  return read.ok
    ? { kind: 'entry', entry: read.entry }
    : { kind: 'unusable', message: `ignored: not a registry entry (${read.problem})` };
}

/** Writes our entry so that a reader sees the old one or the new one. Throws on a full or failing disk. */
export function writeEntry(coms: Coms, project: string, entry: RegistryEntry): void {
  const scratch = join(agentsDir(coms, project), `.${entry.name}.${entry.session_id}.tmp`);
  replaceFile(entryPath(coms, project, entry.name), JSON.stringify(entry), { scratch, durable: false });
}

/**
 * Removes the entry of one session (G2): the file is set aside first, looked at, and put back where it is not the
 * one that was judged. True where it was removed.
 */
export function removeEntry(
  coms: Coms,
  project: string,
  entry: Pick<RegistryEntry, 'name' | 'session_id'>,
): boolean {
  const found = lookUp(coms, project, entry.name);
  if (found.kind !== 'entry' || found.entry.session_id !== entry.session_id) return false;
  const path = entryPath(coms, project, entry.name);
  const aside = join(
    agentsDir(coms, project),
    `.${entry.name}.${process.pid}.${process.hrtime.bigint()}.gone`,
  );
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  const file = readSmallFile(aside, entryBytesMax, coms.uid);
  const read = file.ok ? readEntry(file.text, entry.name) : null;
  const ours = read !== null && read.ok && read.entry.session_id === entry.session_id;
  try {
    if (!ours) linkSync(aside, path);
  } catch {
    // A third owner has taken the place meanwhile; the one set aside writes its entry again at its next heartbeat.
  }
  removeFile(aside);
  return ours;
}

function folderNames(path: string): string[] {
  try {
    return readdirSync(path).toSorted();
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** The projects that have a folder in the registry. Throws where the folder cannot be read. */
export function listProjects(coms: Coms): string[] {
  return folderNames(join(coms.root, 'projects')).filter(isProjectName);
}

/**
 * Who is there (04 Registry). Removes entries proven dead. `explicit: true` entries are left out unless
 * `includeExplicit`. Rejects only where the folder itself cannot be read.
 *
 * @param now Milliseconds since 1970.
 */
export async function listPeers(
  coms: Coms,
  project: string,
  { includeExplicit = false, now = Date.now() }: { includeExplicit?: boolean; now?: number } = {},
): Promise<Listing> {
  const peers: Peer[] = [];
  const warnings: RegistryWarning[] = [];
  let pruned = 0;
  let read = 0;
  for (const file of folderNames(agentsDir(coms, project))) {
    if (!file.endsWith(extension) || file.startsWith('.')) continue;
    const name = file.slice(0, -extension.length);
    const path = join(agentsDir(coms, project), file);
    if (!isPeerName(name)) {
      warnings.push({ path, message: 'ignored: not a name of a peer' });
      continue;
    }
    read += 1;
    if (read % entriesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    const found = lookUp(coms, project, name);
    if (found.kind === 'unusable') warnings.push({ path, message: found.message });
    if (found.kind !== 'entry') continue;
    const { entry } = found;
    if (!isLive(entry, now, pidState)) {
      if (!removeEntry(coms, project, entry)) continue;
      pruned += 1;
      // Loaded here because most listings prune nothing, and the command's start-up is counted.
      const { removeDeadSocket } = await import('./stale-socket.ts');
      await removeDeadSocket(coms, entry.endpoint, defaultLimits.probeTimeoutMs);
    } else if (includeExplicit || !entry.explicit) peers.push({ project, entry });
  }
  return { peers, warnings, pruned };
}

export type PeerLookup =
  | { readonly ok: true; readonly peer: Peer }
  | { readonly ok: false; readonly code: 'NO_SUCH_PEER'; readonly message: string };

/**
 * Finds a peer by name, or by its session id; hidden ones too. Whether it answers, sending will show. Rejects only
 * where the folder cannot be read.
 */
export async function findPeer(coms: Coms, project: string, nameOrSession: string): Promise<PeerLookup> {
  if (isPeerName(nameOrSession)) {
    const found = lookUp(coms, project, nameOrSession);
    if (found.kind === 'entry') return { ok: true, peer: { project, entry: found.entry } };
    if (found.kind === 'unusable') {
      const path = entryPath(coms, project, nameOrSession);
      return { ok: false, code: 'NO_SUCH_PEER', message: `${path} ${found.message}` };
    }
  }
  const { peers } = await listPeers(coms, project, { includeExplicit: true });
  const peer = peers.find(({ entry }) => entry.session_id === nameOrSession);
  if (peer !== undefined) return { ok: true, peer };
  const names = peers.filter(({ entry }) => !entry.explicit).map(({ entry }) => entry.name);
  const others =
    names.length === 0 ? 'nobody is registered there' : `registered there: ${names.slice(0, 20).join(', ')}`;
  return {
    ok: false,
    code: 'NO_SUCH_PEER',
    message: `no peer ${JSON.stringify(nameOrSession)} in project ${project} (${others})`,
  };
}
