/** One request of a bot: its token, its fault, its method, and what of the answer comes through. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse, type Answer, type CallParameters } from './answer.ts';
import type { Fault, FaultPlan } from './faults.ts';
import type { FloodControl } from './flood.ts';
import { callMethod } from './methods.ts';
import type { BotAccount, Place } from './place.ts';
import type { Polls } from './polls.ts';
import { readParameters } from './read-parameters.ts';
import type { World } from './world.ts';

export interface BotApiCall {
  readonly method: string;
  readonly parameters: CallParameters;
  readonly at: number;
  /** Whether the world was changed by it. */
  readonly carriedOut: boolean;
  /** The bot's user name. */
  readonly bot: string;
}

export interface BotOfServer {
  readonly token: string;
  /** The world as this bot has it. */
  readonly world: World;
}

export interface Running {
  readonly place: Place;
  readonly worlds: Map<BotAccount, BotOfServer>;
  readonly faults: FaultPlan;
  readonly flood: FloodControl;
  readonly calls: BotApiCall[];
  readonly polls: Polls;
  pollsEnded: number;
  /** Requests under way, without polls. */
  working: number;
}

interface Handling {
  readonly running: Running;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export async function answerRequest(handling: Handling): Promise<void> {
  const { running, request } = handling;
  // A poll waits for what people do, and not for the server.
  const works = request.url?.endsWith('/getUpdates') === true ? 0 : 1;
  running.working += works;
  try {
    await carryOut(handling);
  } finally {
    running.working -= works;
  }
}

async function carryOut({ running, request, response }: Handling): Promise<void> {
  const { place, faults, calls, polls } = running;
  const [, given = '', method = ''] = /^\/bot([^/]+)\/(?:test\/)?(\w+)/.exec(request.url ?? '') ?? [];
  const parameters = await readParameters(request);
  if (parameters === null) return send(response, refuse(400, "Bad Request: can't parse JSON object"));
  const token = decodeURIComponent(given);
  if (!/^\d+:/.test(token)) return send(response, refuse(404, 'Not Found'));
  const bot = place.bots.find((each) => each.token === token && !each.revoked);
  if (bot === undefined) return send(response, refuse(401, 'Unauthorized'));
  const world = running.worlds.get(bot)?.world;
  const fault = faults.take(method, parameters);
  const note = (carriedOut: boolean): void => {
    const name = bot.user.username ?? '';
    if (method === 'getUpdates') running.pollsEnded += 1;
    else calls.push({ method, parameters, at: place.now(), carriedOut, bot: name });
  };
  if (fault !== null && (await endsBefore(fault, response, world))) return note(false);
  const answer =
    method === 'getUpdates'
      ? await polls.wait(bot, parameters, (listener) => response.once('close', listener))
      : callMethod({ place, bot, flood: running.flood }, method, parameters);
  note(answer?.ok === true);
  if (answer !== null) await answerWith(fault, response, answer);
}

/** What the fault does before the method is carried out; true where that is the end of the request. */
async function endsBefore(
  fault: Fault,
  response: ServerResponse,
  world: World | undefined,
): Promise<boolean> {
  switch (fault.fault) {
    case 'refuse': {
      send(response, refuse(fault.code, fault.description, fault.parameters));
      return true;
    }
    case 'page':
      sendPage(response, fault.code);
      return true;
    case 'drop_before':
      response.socket?.destroy();
      return true;
    case 'never_answer':
      return true;
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return false;
    case 'redeliver':
      world?.redeliver(fault.count);
      return false;
    case 'migrate':
      if (world?.chat(fault.from) !== undefined) world.migrate(fault.from, fault.to);
      return false;
    default:
      return false;
  }
}

/** The method is carried out; what of its answer comes through. */
async function answerWith(fault: Fault | null, response: ServerResponse, answer: Answer): Promise<void> {
  switch (fault?.fault) {
    case 'drop_after':
      response.socket?.destroy();
      return;
    case 'drop_in_answer': {
      const text = JSON.stringify(answer);
      const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      response.writeHead(answer.ok ? 200 : answer.error_code, head);
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
      return;
    }
    case 'never_answer_after':
      return;
    case 'page_after':
      sendPage(response, fault.code);
      return;
    case 'delay_answer':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      send(response, answer);
      return;
    default:
      send(response, answer);
  }
}

function sendPage(response: ServerResponse, code: number): void {
  response.writeHead(code, { 'content-type': 'text/html' }).end(`<html><body>${code}</body></html>`);
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  const status = answer.ok ? 200 : answer.error_code;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
