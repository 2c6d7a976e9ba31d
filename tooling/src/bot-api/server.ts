/**
 * A Bot API server for tests: real HTTP on loopback, one bot token, long polling, and faults on request. It refuses what
 * the real one refuses, so that a mistake shows here and not on a person's phone.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createFaultPlan, type Fault, type FaultPlan } from './faults.ts';
import { callMethod, type Answer, type CallParameters } from './methods.ts';
import { createWorld, type Update, type World } from './world.ts';

export interface BotApiCall {
  readonly method: string;
  readonly parameters: CallParameters;
  readonly at: number;
  /** Whether the world was changed by it. */
  readonly carriedOut: boolean;
}

export interface BotApi {
  /** What TELEGRAM_API_ROOT is set to. */
  readonly root: string;
  readonly token: string;
  readonly world: World;
  readonly faults: FaultPlan;
  /** Every request but polls, in order. */
  readonly calls: readonly BotApiCall[];
  /** Polls that are waiting now. */
  readonly polling: number;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1_048_576;
const POLL_SECONDS_MAX = 50;
/** The whole token is refused if it is not this one: made up, and it says so. */
const TEST_TOKEN = '1234567890:TEST-token-for-the-bot-api-test-server';

interface Poll {
  readonly finish: (answer: Answer) => void;
}

export async function startBotApi(
  options: { readonly token?: string; readonly port?: number } = {},
): Promise<BotApi> {
  const token = options.token ?? TEST_TOKEN;
  const world = createWorld({
    id: 1_234_567_890,
    is_bot: true,
    first_name: 'Test bot',
    username: 'test_bot',
  });
  const faults = createFaultPlan();
  const calls: BotApiCall[] = [];
  const polls = new Set<Poll>();
  const server = createServer((request, response) => {
    void handle({ request, response, token, world, faults, calls, polls });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    root: `http://127.0.0.1:${portOf(server)}`,
    token,
    world,
    faults,
    calls,
    get polling() {
      return polls.size;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server does not listen');
  return address.port;
}

interface Handling {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly token: string;
  readonly world: World;
  readonly faults: FaultPlan;
  readonly calls: BotApiCall[];
  readonly polls: Set<Poll>;
}

async function handle(handling: Handling): Promise<void> {
  const { request, response, token, world, faults, calls } = handling;
  const [, given, method = ''] = /^\/bot([^/]+)\/(?:test\/)?(\w+)/.exec(request.url ?? '') ?? [];
  const parameters = await readParameters(request);
  if (parameters === null)
    return send(response, {
      ok: false,
      error_code: 400,
      description: "Bad Request: can't parse JSON object",
    });
  if (given !== token) return send(response, { ok: false, error_code: 401, description: 'Unauthorized' });
  const fault = faults.take(method);
  const before = fault === null ? null : await faultBefore(fault, response);
  if (before === 'ended') {
    calls.push({ method, parameters, at: Date.now(), carriedOut: false });
    return;
  }
  if (method === 'getUpdates') return poll(handling, parameters);
  const answer = callMethod(world, method, parameters);
  calls.push({ method, parameters, at: Date.now(), carriedOut: answer.ok });
  if (fault?.fault === 'drop_after') {
    request.socket.destroy();
    return;
  }
  if (fault?.fault === 'never_answer_after') return;
  send(response, answer);
}

/** What the fault does before the method is carried out. */
async function faultBefore(fault: Fault, response: ServerResponse): Promise<'ended' | 'goes_on'> {
  switch (fault.fault) {
    case 'refuse': {
      const { code: error_code, description, parameters } = fault;
      send(response, {
        ok: false,
        error_code,
        description,
        ...(parameters === undefined ? {} : { parameters }),
      });
      return 'ended';
    }
    case 'page':
      response
        .writeHead(fault.code, { 'content-type': 'text/html' })
        .end(`<html><body>${fault.code}</body></html>`);
      return 'ended';
    case 'drop_before':
      response.socket?.destroy();
      return 'ended';
    case 'never_answer':
      return 'ended';
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return 'goes_on';
    default:
      return 'goes_on';
  }
}

/** Long polling: one at a time, the earlier one is ended by the later one. */
function poll({ response, request, world, polls }: Handling, parameters: CallParameters): void {
  const offset = Number(parameters['offset'] ?? 0);
  const limit = Math.min(100, Math.max(1, Number(parameters['limit'] ?? 100)));
  const seconds = Math.min(POLL_SECONDS_MAX, Math.max(0, Number(parameters['timeout'] ?? 0)));
  if (offset > 0) world.confirm(offset);
  for (const other of polls) {
    const description =
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';
    other.finish({ ok: false, error_code: 409, description });
  }
  const ready = (): Update[] => world.updates.filter(({ update_id }) => update_id >= offset).slice(0, limit);
  if (ready().length > 0 || seconds === 0) return send(response, { ok: true, result: ready() });
  let done = false;
  const entry: Poll = {
    finish: (answer) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      polls.delete(entry);
      send(response, answer);
    },
  };
  const timer = setTimeout(() => entry.finish({ ok: true, result: [] }), seconds * 1_000);
  polls.add(entry);
  request.socket.on('close', () => {
    done = true;
    clearTimeout(timer);
    polls.delete(entry);
  });
  world.onUpdate(() => {
    if (!done && ready().length > 0) entry.finish({ ok: true, result: ready() });
  });
}

async function readParameters(request: IncomingMessage): Promise<CallParameters | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(piece);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  const status = answer.ok ? 200 : answer.error_code;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
