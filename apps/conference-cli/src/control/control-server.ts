/**
 * While `run` holds the ledger it takes `decide`, `cancel` and `status` from a second terminal (07): one JSON line in, one
 * out, over a unix socket that only its owner can open. Its path stands in `ledger.lock`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@x/conference-core';
import type { Chair } from '@x/conference-core/chair';
import * as z from 'zod';
import { refusalFailure } from '../refusal-failure.ts';
import type { Store } from '../store/open-store.ts';
import { statusDocument } from '../views/status-view.ts';

/** Characters of one request, and how long one may take. */
export const CONTROL_REQUEST_MAX = 65_536;
const REQUEST_MS = 5_000;
const CONNECTIONS_MAX = 16;

const requestSchema = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('decide'), decision_id: z.string(), option: z.string() }),
  z.strictObject({ verb: z.literal('cancel'), reason: z.string() }),
  z.strictObject({ verb: z.literal('status') }),
]);
export type ControlRequest = z.infer<typeof requestSchema>;

export type ControlAnswer =
  | { readonly ok: true; readonly document: object }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly exit: number };

export interface Control {
  close(): Promise<void>;
}

/** Listens for one ledger. Without a durable one there is nobody to find it, so nothing listens. */
export async function openControl(chair: Chair, store: Store): Promise<Control> {
  const conferenceId = chair.state.planned?.conference_id;
  if (!store.ledger.durable || conferenceId === undefined) return { close: () => Promise.resolve() };
  const folder = join(tmpdir(), `conference-control-${conferenceId}`);
  // The ledger's lock is ours, so whatever lies there was left by an earlier holder.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, 'control.sock');
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(socket, (request) => carryOut(chair, request));
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  store.announce({ purpose: 'run', controlSocket: path });
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serve(socket: Socket, answerTo: (request: ControlRequest) => ControlAnswer): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.setTimeout(REQUEST_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > CONTROL_REQUEST_MAX) socket.destroy();
    const end = text.indexOf('\n');
    if (end < 0 || socket.destroyed) return;
    socket.end(`${JSON.stringify(answerLine(text.slice(0, end), answerTo))}\n`);
  });
}

function answerLine(line: string, answerTo: (request: ControlRequest) => ControlAnswer): ControlAnswer {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { ok: false, code: 'NOT_JSON', message: 'the request is not JSON', exit: 2 };
  }
  const request = requestSchema.safeParse(value);
  if (!request.success)
    return {
      ok: false,
      code: 'REQUEST_INVALID',
      message: 'the request names no verb that is taken here',
      exit: 2,
    };
  return answerTo(request.data);
}

function carryOut(chair: Chair, request: ControlRequest): ControlAnswer {
  if (request.verb !== 'status') {
    const executed = chair.execute(commandOf(request));
    if (executed.status !== 'done') {
      const { code, message, exit } = refusalFailure(executed);
      return { ok: false, code, message, exit };
    }
  }
  const { state } = chair;
  const { seq, digest } = chair.ports.ledger.head;
  return {
    ok: true,
    document: statusDocument({ state, head: { seq, digest }, running: true, holder: null, now: Date.now() }),
  };
}

function commandOf(request: Exclude<ControlRequest, { verb: 'status' }>): Command {
  if (request.verb === 'cancel') return { command: 'cancel', reason: request.reason };
  const { decision_id, option } = request;
  return { command: 'answer', decision_id, option, answered_by: 'conference decide' };
}
