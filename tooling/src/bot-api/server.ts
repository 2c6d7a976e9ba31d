/**
 * A Bot API server for tests: real HTTP on loopback, any number of bots in the same chats, long polling, and faults on
 * request. It refuses what the real one refuses, so that a mistake shows here and not on a person's phone.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { answerRequest, type BotApiCall, type BotOfServer, type Running } from './answer-request.ts';
import { answerControl } from './control.ts';
import { createFaultPlan, type FaultPlan } from './faults.ts';
import { createFloodControl, type FloodControl, type FloodLimit } from './flood.ts';
import { createPlace } from './place.ts';
import { createPolls } from './polls.ts';
import { createWorld, type World } from './world.ts';

export type { BotApiCall, BotOfServer } from './answer-request.ts';

export interface BotApi {
  /** What TELEGRAM_API_ROOT is set to. */
  readonly root: string;
  /** Of the first bot. */
  readonly token: string;
  /** As the first bot has it. */
  readonly world: World;
  readonly bots: readonly BotOfServer[];
  readonly faults: FaultPlan;
  readonly flood: FloodControl;
  /** Every request but polls, in order. */
  readonly calls: readonly BotApiCall[];
  /** Polls that are waiting now. */
  readonly polling: number;
  /** Polls that were answered or ended so far. */
  readonly pollsEnded: number;
  /** Requests under way, without polls. */
  readonly working: number;
  addBot(bot?: NewBot): BotOfServer;
  /** Nobody listens on the port, and open connections are cut, until `goOnline`. */
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
  close(): Promise<void>;
}

export interface NewBot {
  readonly token?: string;
  readonly username?: string;
}

export interface BotApiOptions {
  readonly token?: string;
  readonly port?: number;
  readonly flood?: FloodLimit;
  /** Milliseconds since 1970; default the clock's. */
  readonly now?: () => number;
}

/**
 * Made up, and says so. Another one for each server: a token is used once on a machine, and tests run side by side.
 */
const freshToken = (): string =>
  `${randomInt(1_000_000_000, 9_000_000_000)}:TEST-token-${randomBytes(16).toString('hex')}`;

export async function startBotApi(options: BotApiOptions = {}): Promise<BotApi> {
  const running: Running = {
    place: createPlace(options.now ?? Date.now),
    worlds: new Map(),
    faults: createFaultPlan(),
    flood: createFloodControl(options.flood ?? null),
    calls: [],
    polls: createPolls(),
    pollsEnded: 0,
    working: 0,
  };
  const first = addBot(running, options.token === undefined ? {} : { token: options.token });
  const server = createServer((request, response) => {
    const base = { running, request, response };
    void (
      request.url?.startsWith('/control') === true
        ? answerControl(api, request, response)
        : answerRequest(base)
    ).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await listen(server, options.port ?? 0);
  const port = portOf(server);
  const goOffline = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const api: BotApi = {
    root: `http://127.0.0.1:${port}`,
    token: first.token,
    world: first.world,
    get bots() {
      return [...running.worlds.values()];
    },
    faults: running.faults,
    flood: running.flood,
    calls: running.calls,
    get polling() {
      return running.polls.waiting;
    },
    get pollsEnded() {
      return running.pollsEnded;
    },
    get working() {
      return running.working;
    },
    addBot: (bot) => addBot(running, bot ?? {}),
    goOffline,
    goOnline: () => listen(server, port),
    close: goOffline,
  };
  return api;
}

function addBot({ place, worlds }: Running, given: NewBot): BotOfServer {
  const count = place.bots.length;
  const token = given.token ?? freshToken();
  const user = {
    id: Number(/^\d+/.exec(token)?.[0]),
    is_bot: true,
    first_name: 'Test bot',
    username: given.username ?? (count === 0 ? 'test_bot' : `test_${count + 1}_bot`),
  };
  const account = place.addBot(user, token);
  const bot = { token, world: createWorld(place, account) };
  worlds.set(account, bot);
  return bot;
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server does not listen');
  return address.port;
}
