/**
 * Becoming a peer: an endpoint that answers, a name that is ours, an entry that says so (04 Registry).
 *
 * Boundary: puts registry, claim, socket and client together. What a prompt means is the handlers' business.
 *
 * P2 The endpoint listens before the name is claimed.
 * P3 A prompt is acked after its handler has accepted it, a cancel before its handler runs.
 */
import { ulid } from 'ulid';
import { endpointOf, isSessionId } from '../endpoint.ts';
import type { RegistryEntry } from '../entry.ts';
import { createInbox } from '../inbox.ts';
import { defaultLimits, type ComsLimits } from '../limits.ts';
import { isPeerName, isProjectName, nameCandidate } from '../name.ts';
import { createAnswerer } from './answer.ts';
import { claimName, type NameHolder } from './claim.ts';
import { makeFolder, type Coms, type FolderRefusal } from './coms-folder.ts';
import type { PeerHandlers } from './handlers.ts';
import { freshEntry, startHeartbeat } from './heartbeat.ts';
import { buildPeer, type ListeningPeer } from './peer.ts';
import { writeEntry } from './registry.ts';
import { createRequests } from './request.ts';
import { listenOn, type BindRefusal } from './socket-server.ts';

export interface ListenOptions {
  readonly coms: Coms;
  readonly name: string;
  readonly handlers: PeerHandlers;
  /** `default` by default. */
  readonly project?: string;
  /** What becomes of a taken name: `append` tries name2, name3, … (default); `refuse` gives up, naming the holder. */
  readonly onTakenName?: 'append' | 'refuse';
  readonly purpose?: string;
  readonly model?: string;
  readonly color?: string;
  /** The process's folder by default. */
  readonly cwd?: string;
  /** Hidden from lists unless asked for; false by default. */
  readonly explicit?: boolean;
  /** A new ULID by default. */
  readonly sessionId?: string;
  readonly limits?: Partial<ComsLimits>;
}

/**
 * - `INVALID_NAME`, `INVALID_PROJECT`, `INVALID_SESSION` the patterns of 04 Registry.
 * - `NAME_TAKEN` `holder` answers under this name (with `append`: under every name that could be tried).
 * - `REGISTER_FAILED` the file system refused.
 * - the codes of folders and sockets: `FolderRefusal`, `BindRefusal`.
 */
export type ListenRefusal =
  | {
      readonly ok: false;
      readonly code: 'INVALID_NAME' | 'INVALID_PROJECT' | 'INVALID_SESSION' | 'REGISTER_FAILED';
      readonly message: string;
    }
  | { readonly ok: false; readonly code: 'NAME_TAKEN'; readonly message: string; readonly holder: NameHolder }
  | FolderRefusal
  | BindRefusal;

function refused<Code extends 'INVALID_NAME' | 'INVALID_PROJECT' | 'INVALID_SESSION' | 'REGISTER_FAILED'>(
  code: Code,
  message: string,
): { ok: false; code: Code; message: string } {
  return { ok: false, code, message };
}

function invalidOption(name: string, project: string, sessionId: string): ListenRefusal | null {
  if (!isPeerName(name)) {
    const rule = 'a letter or digit, then at most 63 letters, digits, _ or -, and not the word projects';
    return refused('INVALID_NAME', `name ${JSON.stringify(name)} is not accepted: a name is ${rule}.`);
  }
  if (!isProjectName(project)) {
    const rule = 'a letter or digit, then letters, digits, dots, _ or -, without two dots in a row';
    return refused(
      'INVALID_PROJECT',
      `project ${JSON.stringify(project)} is not accepted: a project is ${rule}.`,
    );
  }
  if (!isSessionId(sessionId)) {
    return refused('INVALID_SESSION', `session id ${JSON.stringify(sessionId)} cannot name a socket file.`);
  }
  return null;
}

function makeFolders(coms: Coms, project: string): FolderRefusal | null {
  for (const parts of [['sockets'], ['projects', project, 'agents'], ['claims', project]]) {
    const made = makeFolder(coms, ...parts);
    if (!made.ok) return made;
  }
  return null;
}

/** The first free name, as an entry that is ours from now on. */
async function takeName(
  entry: RegistryEntry,
  options: { coms: Coms; project: string; limits: ComsLimits; tries: number },
): Promise<{ ok: true; entry: RegistryEntry } | { ok: false; holder: NameHolder }> {
  const { coms, project, limits, tries } = options;
  for (let ordinal = 1; ; ordinal += 1) {
    const candidate = { ...entry, name: nameCandidate(entry.name, ordinal) };
    const claimed = await claimName(coms, {
      entry: candidate,
      project,
      probeTimeoutMs: limits.probeTimeoutMs,
    });
    if (claimed.ok) return { ok: true, entry: candidate };
    if (ordinal >= tries) return { ok: false, holder: claimed.holder };
  }
}

/**
 * Becomes a peer: listens, takes a name, registers, and refreshes the entry every 30 s (04 Registry). Never rejects.
 * A name is taken only while its endpoint answers, so a killed process gets its name back at once.
 */
export async function listen(options: ListenOptions): Promise<ListeningPeer | ListenRefusal> {
  const { coms, handlers, project = 'default', sessionId = ulid() } = options;
  const limits: ComsLimits = { ...defaultLimits, ...options.limits };
  const invalid = invalidOption(options.name, project, sessionId) ?? makeFolders(coms, project);
  if (invalid !== null) return invalid;
  const requests = createRequests(coms, limits);
  let { name } = options;
  const identity = {
    purpose: options.purpose ?? '',
    model: options.model ?? '',
    color: options.color ?? '',
  };
  const answerer = createAnswerer({
    identity: () => ({ ...identity, name }),
    handlers,
    hopsMax: coms.hopsMax,
    inbox: createInbox(limits.inboxMax),
    toRequest: (response) => requests.take(response),
  });
  const server = await listenOn(endpointOf(sessionId, coms), answerer, { coms, limits });
  if (!server.ok) return server;
  const wanted: RegistryEntry = {
    session_id: sessionId,
    name,
    ...identity,
    pid: process.pid,
    endpoint: server.endpoint,
    cwd: options.cwd ?? process.cwd(),
    started_at: new Date().toISOString(),
    explicit: options.explicit ?? false,
    version: 1,
  };
  try {
    const tries = options.onTakenName === 'refuse' ? 1 : limits.suffixMax;
    const taken = await takeName(wanted, { coms, project, limits, tries });
    if (!taken.ok) {
      await server.close();
      const { holder } = taken;
      const who = `session ${holder.session_id}, process ${holder.pid}, at ${holder.endpoint}`;
      return {
        ok: false,
        code: 'NAME_TAKEN',
        holder,
        message: `the name ${options.name} is taken by ${who}.`,
      };
    }
    const { entry } = taken;
    name = entry.name;
    writeEntry(coms, project, freshEntry(entry, handlers));
    const heartbeat = startHeartbeat({ coms, project, entry, handlers, limits, server });
    return buildPeer({ coms, project, entry, server, requests, heartbeat });
  } catch (error) {
    await server.close();
    return refused('REGISTER_FAILED', error instanceof Error ? error.message : String(error));
  }
}
