/**
 * A listening socket: bound safely, its connections bounded in number and in time.
 *
 * B1 Only a socket file proven dead is replaced. A regular file, a folder, a link, or a socket that answers stays.
 * B2 At `connectionsMax` the connection that has been silent longest makes room for the new one.
 */
import { chmodSync, type Stats } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { socketPathExcess } from '../endpoint.ts';
import type { ComsLimits } from '../limits.ts';
import type { Coms } from './coms-folder.ts';
import { serveConnection, type Answerer, type Connection } from './connection.ts';
import { probe } from './probe.ts';
import { systemCode } from './safe-file.ts';
import { isSameFile, lookAt, removeJudged } from './stale-socket.ts';

export interface BindRefusal {
  readonly ok: false;
  readonly code: 'SOCKET_PATH_TOO_LONG' | 'ENDPOINT_IN_USE' | 'ENDPOINT_BLOCKED' | 'BIND_FAILED';
  readonly message: string;
}

export interface SocketServer {
  readonly ok: true;
  readonly endpoint: string;
  /** Connections open now. */
  connections(): number;
  /** True where the socket at the path is still the one that we bound. */
  ownsPath(): boolean;
  /** Stops listening, removes the socket file, lets handlers finish for `lingerMs`, ends every connection. */
  close(): Promise<void>;
}

/** A stale socket may come back in the moment between its removal and our bind. */
const bindAttemptsMax = 16;
/** Pause where another process is removing the same stale socket. */
const contestedDelayMs = 10;
const youngSocketMs = 50;
/** Connections that the kernel holds for us while we are busy. */
const backlogMax = 511;

function refusal(code: BindRefusal['code'], message: string): BindRefusal {
  return { ok: false, code, message };
}

/** Makes way for a bind, or says what stands in it. */
async function clearPath(path: string, probeTimeoutMs: number): Promise<BindRefusal | null> {
  const found = lookAt(path);
  if (found === undefined) return null;
  if (!found.isSocket()) {
    const hint = 'Move it away, or set PI_COMS_DIR to another folder.';
    return refusal('ENDPOINT_BLOCKED', `${path} is there and is not a socket; it is left untouched. ${hint}`);
  }
  if ((await probe(path, probeTimeoutMs)) === 'answers') {
    return refusal('ENDPOINT_IN_USE', `${path} is in use: another process answers there.`);
  }
  // Between its bind and its listen a new socket refuses, too; one that young is looked at again.
  if (Date.now() - found.ctimeMs < youngSocketMs || !removeJudged(path, found))
    await new Promise((resolve) => setTimeout(resolve, contestedDelayMs));
  return null;
}

function listenOnce(server: Server, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const onError = (error: Error): void => resolve(systemCode(error) || 'UNKNOWN');
    server.once('error', onError);
    server.listen({ path, backlog: backlogMax }, () => {
      server.removeListener('error', onError);
      resolve(null);
    });
  });
}

async function bind(
  server: Server,
  path: string,
  coms: Coms,
  limits: ComsLimits,
): Promise<BindRefusal | Stats | null> {
  for (let attempt = 0; attempt < bindAttemptsMax; attempt += 1) {
    if (coms.platform !== 'win32') {
      const blocked = await clearPath(path, limits.probeTimeoutMs);
      if (blocked !== null) return blocked;
    }
    const code = await listenOnce(server, path);
    if (code === 'EADDRINUSE' && coms.platform !== 'win32') continue;
    if (code === 'EADDRINUSE')
      return refusal('ENDPOINT_IN_USE', `${path} is in use: another process answers there.`);
    if (code !== null) return refusal('BIND_FAILED', `cannot listen on ${path} (${code})`);
    if (coms.platform === 'win32') return null;
    const bound = lookAt(path);
    if (bound?.isSocket() !== true)
      return refusal('BIND_FAILED', `listening on ${path} made no socket there`);
    chmodSync(path, 0o600);
    return bound;
  }
  return refusal(
    'ENDPOINT_IN_USE',
    `${path} is in use: it was taken ${bindAttemptsMax} times while we started.`,
  );
}

/** Keeps the connections of one server within their bounds. */
class ConnectionRoom {
  readonly #limits: ComsLimits;
  readonly #open = new Set<Connection>();
  readonly #sweep: NodeJS.Timeout;

  constructor(limits: ComsLimits) {
    this.#limits = limits;
    const everyMs = Math.max(10, Math.min(1_000, limits.lineTimeoutMs / 4));
    this.#sweep = setInterval(() => this.#endOverdue(), everyMs).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  enter(socket: Socket, answerer: Answerer): void {
    if (this.#open.size >= this.#limits.connectionsMax && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const connection = serveConnection(socket, answerer, this.#limits);
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
  }

  anyBusy(): boolean {
    return [...this.#open].some((connection) => connection.busy);
  }

  closeAll(): void {
    clearInterval(this.#sweep);
    for (const connection of this.#open) connection.destroy();
  }

  /** Connections stand in the order of their start, so the first idle one has been silent longest, or nearly. */
  #makeRoom(): boolean {
    for (const connection of this.#open) {
      if (connection.busy) continue;
      this.#open.delete(connection);
      connection.destroy();
      return true;
    }
    return false;
  }

  #endOverdue(): void {
    const now = performance.now();
    for (const connection of this.#open) {
      const allowedMs = connection.busy ? this.#limits.handlerTimeoutMs : this.#limits.lineTimeoutMs;
      if (now - connection.waitingSinceMs > allowedMs) connection.destroy();
    }
  }
}

async function closeServer(server: Server, room: ConnectionRoom, limits: ComsLimits): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const until = performance.now() + limits.lingerMs;
  while (room.anyBusy() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  room.closeAll();
  await closed;
}

/**
 * Listens on a socket path (0600) or a named pipe and answers every envelope (04 Wire). Never rejects; a path beyond
 * the platform's limit, one in use, or one that is no socket is refused.
 */
export async function listenOn(
  endpoint: string,
  answerer: Answerer,
  { coms, limits }: { coms: Coms; limits: ComsLimits },
): Promise<SocketServer | BindRefusal> {
  const excess = socketPathExcess(endpoint, coms.platform);
  if (excess !== null) {
    const lengths = `has ${excess.bytes} bytes, and a socket path may have ${excess.bytesMax} here`;
    return refusal('SOCKET_PATH_TOO_LONG', `${endpoint} ${lengths}. Set PI_COMS_DIR to a shorter folder.`);
  }
  const room = new ConnectionRoom(limits);
  const server = createServer({ allowHalfOpen: true }, (socket) => room.enter(socket, answerer));
  let bound: BindRefusal | Stats | null;
  try {
    bound = await bind(server, endpoint, coms, limits);
  } catch (error) {
    bound = refusal('BIND_FAILED', `cannot listen on ${endpoint} (${systemCode(error) || String(error)})`);
  }
  if (bound !== null && 'ok' in bound) {
    room.closeAll();
    server.close();
    return bound;
  }
  // The system may fail to accept (no descriptors left); the server stays, and accepts again when it can.
  server.on('error', () => undefined);
  const file = bound;
  return {
    ok: true,
    endpoint,
    connections: () => room.size,
    ownsPath: () => file === null || isSameFile(lookAt(endpoint), file),
    close: () => closeServer(server, room, limits),
  };
}
