/**
 * A coms folder of its own for a test, removed with all that runs in it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { accepted, type ComsLimits } from '../src/index.ts';
import { listen, openComs, type Coms, type ListeningPeer, type ListenOptions } from '../src/node/index.ts';

/** A new folder with a short path, so that sockets in it fit, removed when the test ends. */
export function tempFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'coms-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function openTestComs(env: Record<string, string> = {}): Coms {
  const opened = openComs({ env: { PI_COMS_DIR: join(tempFolder(), 'c'), ...env } });
  if (!opened.ok) throw new Error(opened.message);
  return opened.coms;
}

/** Listens, closes when the test ends, and fails the test where it cannot. */
export async function startPeer(
  coms: Coms,
  options: Partial<Omit<ListenOptions, 'limits'>> & { limits?: Partial<ComsLimits> } = {},
): Promise<ListeningPeer> {
  const peer = await listen({ coms, name: 'peer', handlers: { prompt: () => accepted }, ...options });
  if (!peer.ok) throw new Error(peer.message);
  onTestFinished(() => peer.close());
  return peer;
}

/** Sends raw bytes, in the given pieces, and gives everything that comes back until the other side ends. */
export async function exchangeBytes(
  endpoint: string,
  pieces: readonly (string | Uint8Array)[],
  { end = true, allowError = false }: { end?: boolean; allowError?: boolean } = {},
): Promise<string> {
  const socket = connect({ path: endpoint });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8');
  });
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve());
    socket.on('error', (error) => (allowError ? resolve() : reject(error)));
  });
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  if (end) socket.end();
  await closed;
  return received;
}

/** Opens a connection and leaves it silent. */
export function openSilent(endpoint: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ path: endpoint });
    socket.on('error', () => resolve(socket));
    socket.once('connect', () => resolve(socket));
  });
}

export interface ChildPeer {
  readonly process: ChildProcess;
  readonly line: Record<string, unknown>;
  /** Ends it without any tidying up. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** A peer in a process of its own, running the built package. Gives the first line that it prints. */
export async function startChildPeer(coms: Coms, args: Record<string, unknown>): Promise<ChildPeer> {
  const script = join(import.meta.dirname, 'child-peer.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify({ root: coms.root, ...args })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  onTestFinished(() => kill('SIGKILL'));
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    // Not `exit`, which may come before the last line has been read.
    child.once('close', () => reject(new Error('the child ended before it printed')));
  });
  return { process: child, line: JSON.parse(first) as Record<string, unknown>, kill };
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`never came true: ${what}`);
}
