/**
 * While `run` holds the ledger it takes `decide`, `cancel` and `status` from a second terminal (07): one JSON line in, one
 * out, over a unix socket that only its owner can open. Its path stands in `ledger.lock`.
 *
 * K1 Commands go through the same Chair as everything else of the run: one writer, one order.
 * K2 No socket is no failure: a second terminal then reads the folder, or is told who holds it.
 */
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Command } from '@x/conference-core';
import type { Chair } from '@x/conference-core/chair';
import type { LockHolder } from '@x/ledger';
import * as z from 'zod';
import { exitCode } from '../exit-code.ts';
import type { Failure } from '../output.ts';
import { refusalFailure } from '../refusal-failure.ts';
import { stepHead } from '../stepwise/delegate-task.ts';
import type { Store } from '../store/open-store.ts';
import { statusDocument, statusText } from '../views/status-view.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';

/** Characters of one request, and how long one may take. */
const CONTROL_REQUEST_MAX = 65_536;
const REQUEST_MS = 5_000;
const CONNECTIONS_MAX = 16;

const requestSchema = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('decide'), decision_id: z.string(), option: z.string() }),
  z.strictObject({ verb: z.literal('cancel'), reason: z.string().min(1) }),
  z.strictObject({ verb: z.literal('status') }),
]);
export type ControlRequest = z.infer<typeof requestSchema>;

export type ControlAnswer =
  | { readonly ok: true; readonly document: object; readonly words: string }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly exit: number };

export interface Control {
  /** Twice is once. */
  close(): Promise<void>;
}

const NO_CONTROL: Control = { close: () => Promise.resolve() };

interface ControlPorts {
  /** Words for whoever watches the run. */
  readonly told: (line: string) => void;
  /** Carries out `revalidate` of a stale state; null: done, and the answer is recorded. */
  readonly revalidate: (answeredBy: string) => Promise<Failure | null>;
}

/** Listens for one ledger. Without a durable one there is nobody to find it, so nothing listens. Never rejects. */
export async function openControl(
  chair: Chair,
  store: Store,
  { told, revalidate }: ControlPorts,
): Promise<Control> {
  const conferenceId = chair.state.planned?.conference_id;
  if (!store.ledger.durable || conferenceId === undefined) return NO_CONTROL;
  const made = makeSocketFolder(conferenceId);
  if (!made.ok) {
    told(`conference: a second terminal cannot reach this run: ${made.reason}`);
    return NO_CONTROL;
  }
  const holder = holderAt(made.path);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(socket, (request) => carryOut({ chair, holder, revalidate }, request));
  });
  server.maxConnections = CONNECTIONS_MAX;
  const trouble = await listen(server, made.path);
  if (trouble !== null) {
    removeSocketFolder(conferenceId);
    told(`conference: a second terminal cannot reach this run: ${trouble}`);
    return NO_CONTROL;
  }
  store.announce({ purpose: 'run', controlSocket: made.path });
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const gone = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of open) socket.destroy();
    await gone;
    removeSocketFolder(conferenceId);
  };
  return { close: () => (closed ??= close()) };
}

/** Null: it listens. The folder around it is 0700, so nobody gets in before the socket is 0600. */
function listen(server: Server, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(error.message));
    server.listen(path, () => {
      chmodSync(path, 0o600);
      resolve(null);
    });
  });
}

function serve(socket: Socket, answerTo: AnswerTo): void {
  let text = '';
  let answered = false;
  socket.setEncoding('utf8');
  // The whole request, not each silence between its bytes.
  const timer = setTimeout(() => socket.destroy(), REQUEST_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    if (answered) return;
    text += chunk;
    const end = text.indexOf('\n');
    if (end < 0 && text.length <= CONTROL_REQUEST_MAX) return;
    answered = true;
    const line = end < 0 ? text : text.slice(0, end);
    clearTimeout(timer);
    void answerLine(line, answerTo)
      .catch((error: unknown) =>
        refused('UNEXPECTED', `the run could not carry it out: ${String(error)}`, exitCode.failed),
      )
      .then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
  });
}

type AnswerTo = (request: ControlRequest) => Promise<ControlAnswer>;

function refused(code: string, message: string, exit: number): ControlAnswer {
  return { ok: false, code, message, exit };
}

async function answerLine(line: string, answerTo: AnswerTo): Promise<ControlAnswer> {
  const refuse = (code: string, message: string): ControlAnswer => refused(code, message, exitCode.usage);
  if (line.length > CONTROL_REQUEST_MAX) {
    return refuse('REQUEST_INVALID', `the request is longer than ${CONTROL_REQUEST_MAX} characters`);
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuse('NOT_JSON', 'the request is not JSON');
  }
  const request = requestSchema.safeParse(value);
  return request.success
    ? answerTo(request.data)
    : refuse('REQUEST_INVALID', 'the request names no verb that is taken here: decide, cancel, status');
}

/** As `ledger.lock` names this process. */
function holderAt(control_socket: string): LockHolder {
  const started_at = new Date(Date.now() - Math.round(process.uptime() * 1000)).toISOString();
  return { pid: process.pid, started_at, host: hostname(), control_socket, purpose: 'run' };
}

interface CarryingOut extends Pick<ControlPorts, 'revalidate'> {
  readonly chair: Chair;
  readonly holder: LockHolder;
}

async function carryOut(
  { chair, holder, revalidate }: CarryingOut,
  request: ControlRequest,
): Promise<ControlAnswer> {
  if (request.verb !== 'status') {
    const failure = isRevalidation(chair, request)
      ? await revalidate(ANSWERED_BY)
      : executed(chair, commandOf(request));
    if (failure !== null) return refused(failure.code, failure.message, failure.exit);
  }
  const { state } = chair;
  const { seq, digest } = chair.ports.ledger.head;
  const by = 'by the process that runs the conference';
  switch (request.verb) {
    case 'status': {
      const input = { state, head: { seq, digest }, running: true, holder, now: Date.now() };
      return { ok: true, document: statusDocument(input), words: statusText(input) };
    }
    case 'decide': {
      const { decision_id, option } = request;
      const document = { ...stepHead(state, seq), decision_id, option };
      return { ok: true, document, words: `Decided ${by}: ${option}. The conference is ${state.state}.\n` };
    }
    case 'cancel':
      return {
        ok: true,
        document: { ...stepHead(state, seq), cancelled: true },
        words: `Cancelled ${by}. Open dispatches are ended and what was not reviewed is discarded.\n`,
      };
  }
}

const ANSWERED_BY = 'conference decide';

/** What is wrong with the files may still be: they are compared again before the answer is recorded. */
function isRevalidation({ state }: Chair, request: ControlRequest): boolean {
  const { pending } = state;
  return (
    request.verb === 'decide' &&
    request.option === 'revalidate' &&
    pending?.kind === 'stale_state' &&
    pending.decision_id === request.decision_id
  );
}

function executed(chair: Chair, command: Command): Failure | null {
  const outcome = chair.execute(command);
  return outcome.status === 'done' ? null : refusalFailure(outcome);
}

function commandOf(request: Exclude<ControlRequest, { verb: 'status' }>): Command {
  if (request.verb === 'cancel') return { command: 'cancel', reason: request.reason };
  const { decision_id, option } = request;
  return { command: 'answer', decision_id, option, answered_by: ANSWERED_BY };
}
