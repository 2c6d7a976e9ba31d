/**
 * A herdr for tests: its socket protocol over a real unix socket, with faults on demand.
 *
 * One newline-terminated JSON request a connection, one answer, and the connection is closed. What was
 * asked, and what was answered, is kept for the test to look at.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { isRecord, openSession } from './session.ts';
import type { FakeWorkspace, Params, Reply } from './session.ts';

export type Fault =
  /** Answers with an error and does nothing. */
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** Closes the connection without doing anything. */
  | { readonly kind: 'drop_before' }
  /** Does it, and closes the connection without an answer. */
  | { readonly kind: 'drop_after' }
  /** Does it, sends half of the answer, and closes the connection. */
  | { readonly kind: 'drop_in_answer' }
  /** Does it and never answers. */
  | { readonly kind: 'hang' }
  /** Does it and answers with this line instead. */
  | { readonly kind: 'answer'; readonly line: string }
  /** Does it and answers a byte at a time. */
  | { readonly kind: 'byte_at_a_time' }
  /** Does it only after the test lets it. */
  | { readonly kind: 'wait'; readonly until: Promise<void> };

export interface FakeHerdrOptions {
  readonly socketPath: string;
  readonly protocol?: number;
  readonly version?: string;
  /** For each method what goes wrong at its first call, its second, and so on; null for a call that goes well. */
  readonly faults?: Readonly<Record<string, readonly (Fault | null)[]>>;
}

export interface SeenRequest {
  readonly id: string;
  readonly method: string;
  readonly params: Params;
}

export interface FakeHerdr {
  readonly socketPath: string;
  /** Every request, as it came, in order. */
  readonly requests: readonly SeenRequest[];
  /** Every answer that was meant to be sent whole, in order. */
  readonly answers: readonly Readonly<Record<string, unknown>>[];
  readonly workspaces: readonly FakeWorkspace[];
  addWorkspace(label: string): FakeWorkspace;
  close(): Promise<void>;
}

/** No request of a launcher is as large as this. */
const REQUEST_BYTES_MAX = 8 * 1024 * 1024;

/** Listens until closed. Rejects if the socket cannot be bound. */
export async function startFakeHerdr(options: FakeHerdrOptions): Promise<FakeHerdr> {
  const { socketPath, protocol = 20, version = '0.0.0-fake', faults = {} } = options;
  const session = openSession({ protocol, version });
  const requests: SeenRequest[] = [];
  const answers: Record<string, unknown>[] = [];
  const calls = new Map<string, number>();
  const sockets = new Set<Socket>();
  const answer = async (socket: Socket, line: string): Promise<void> => {
    const request = readRequest(line);
    if (request === null) {
      socket.end(
        `${JSON.stringify({ id: '', error: { code: 'invalid_request', message: 'not a request' } })}\n`,
      );
      return;
    }
    const { id, method, params } = request;
    requests.push(request);
    const call = calls.get(method) ?? 0;
    calls.set(method, call + 1);
    const fault = faults[method]?.[call] ?? null;
    if (fault?.kind === 'drop_before') return void socket.destroy();
    if (fault?.kind === 'wait') await fault.until;
    const reply: Reply =
      fault?.kind === 'error'
        ? { error: { code: fault.code, message: fault.message } }
        : session.handle(method, params);
    const whole = { id, ...reply };
    answers.push(whole);
    send(socket, `${JSON.stringify(whole)}\n`, fault);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that gives up is part of the tests.
    socket.on('error', () => socket.destroy());
    readLine(socket, (line) => void answer(socket, line));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    socketPath,
    requests,
    answers,
    workspaces: session.workspaces,
    addWorkspace: (label) => session.addWorkspace(label),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function send(socket: Socket, line: string, fault: Fault | null): void {
  switch (fault?.kind) {
    case 'drop_after':
      socket.destroy();
      return;
    case 'drop_in_answer':
      socket.end(line.slice(0, Math.floor(line.length / 2)));
      return;
    case 'hang':
      return;
    case 'answer':
      socket.end(`${fault.line}\n`);
      return;
    case 'byte_at_a_time':
      socket.setNoDelay(true);
      for (const byte of Buffer.from(line)) socket.write(Buffer.from([byte]));
      socket.end();
      return;
    default:
      socket.end(line);
  }
}

/** Calls back once, with the first line that a client sends. */
function readLine(socket: Socket, whenRead: (line: string) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', function onData(chunk: string) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end < 0 && text.length < REQUEST_BYTES_MAX) return;
    socket.off('data', onData);
    whenRead(end < 0 ? '' : text.slice(0, end));
  });
}

function readRequest(line: string): SeenRequest | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isRecord(json)) return null;
  const { id, method, params } = json;
  if (typeof id !== 'string' || typeof method !== 'string' || !isRecord(params)) return null;
  return { id, method, params };
}
