/**
 * The test server worked from outside, over HTTP on its own port, for a server that runs as a process of its own:
 * `POST /control` with `{"do":"say","chat":42,"from":7,"text":"yes"}` does what a person would do, `GET /control` tells
 * how the world stands. `bot` counts the bots from 0, which is the default; `from` is a user's id or a whole user.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { integerOf, recordOf } from './answer.ts';
import type { Fault } from './faults.ts';
import type { MemberStatus, User } from './objects.ts';
import { readParameters } from './read-parameters.ts';
import type { BotApi, BotOfServer } from './server.ts';
import type { Said } from './said.ts';

type Given = Readonly<Record<string, unknown>>;

interface Order {
  readonly api: BotApi;
  readonly bot: BotOfServer;
  readonly given: Given;
}

/** What a wrong order is answered with. */
class WrongOrder extends Error {}

const number = (given: Given, name: string): number => {
  const value = integerOf(given[name]);
  if (value === null)
    throw new WrongOrder(`${name} must be a whole number, and is ${JSON.stringify(given[name])}`);
  return value;
};
const words = (given: Given, name: string): string => {
  const value = given[name];
  if (typeof value !== 'string')
    throw new WrongOrder(`${name} must be a text, and is ${JSON.stringify(value)}`);
  return value;
};
const user = (given: Given): User => {
  const whole = recordOf(given['from']);
  const id = whole === null ? number(given, 'from') : number(whole, 'id');
  return { id, is_bot: false, first_name: `User ${id}`, ...whole };
};
/** The rest of an order is passed on as it is: who gives it works on a test. */
const rest = ({ do: _do, bot: _bot, ...given }: Given): Given => given;

const orders: Readonly<Record<string, (order: Order) => unknown>> = {
  say: ({ bot, given }) => bot.world.say(saidOf(given)),
  sayLong: ({ bot, given }) => bot.world.sayLong({ ...saidOf(given), text: words(given, 'text') }),
  edit: ({ bot, given }) =>
    bot.world.edit(number(given, 'chat'), number(given, 'message'), words(given, 'text')),
  remove: ({ bot, given }) => bot.world.remove(number(given, 'chat'), number(given, 'message')),
  press: ({ bot, given }) =>
    bot.world.press({
      ...rest(given),
      chat: number(given, 'chat'),
      message: number(given, 'message'),
      from: user(given),
    }),
  migrate: ({ bot, given }) => bot.world.migrate(number(given, 'from'), number(given, 'to')),
  addChat: ({ bot, given }) =>
    bot.world.addChat({ type: 'private', ...rest(given), id: number(given, 'id') }),
  addTopic: ({ bot, given }) => bot.world.addTopic(number(given, 'chat'), rest(given)),
  closeTopic: ({ bot, given }) => bot.world.closeTopic(number(given, 'chat'), number(given, 'topic')),
  membership: ({ bot, given }) =>
    bot.world.membership({
      ...rest(given),
      chat: number(given, 'chat'),
      from: user(given),
      status: words(given, 'status') as MemberStatus,
    }),
  setMember: ({ bot, given }) =>
    bot.world.setMember(number(given, 'chat'), user(given), words(given, 'status') as MemberStatus),
  setReadsAll: ({ bot, given }) => bot.world.setReadsAll(given['on'] === true),
  setWebhook: ({ bot, given }) => bot.world.setWebhook(words(given, 'url')),
  revokeToken: ({ bot }) => bot.world.revokeToken(),
  redeliver: ({ bot, given }) => bot.world.redeliver(number(given, 'count')),
  renumber: ({ bot, given }) => bot.world.renumber(number(given, 'next')),
  addBot: ({ api, given }) => ({ token: api.addBot(rest(given)).token }),
  fault: ({ api, given }) => {
    const faults = Array.isArray(given['faults']) ? given['faults'] : [];
    const known = faults.map((fault: unknown) => {
      if (typeof recordOf(fault)?.['fault'] === 'string') return fault as Fault;
      throw new WrongOrder('faults must be a list of objects that each have a field fault');
    });
    api.faults.add(words(given, 'method'), ...known);
  },
  clearFaults: ({ api }) => api.faults.clear(),
  flood: ({ api, given }) =>
    api.flood.set(
      given['messagesMax'] === undefined
        ? null
        : { messagesMax: number(given, 'messagesMax'), perMs: number(given, 'perMs') },
    ),
  offline: async ({ api, given }) => {
    const ms = number(given, 'ms');
    // The answer first: nothing comes through afterwards.
    setTimeout(() => {
      void api.goOffline().then(() => setTimeout(() => void api.goOnline(), ms));
    }, 10);
  },
};

const saidOf = (given: Given): Said => ({
  ...rest(given),
  chat: number(given, 'chat'),
  from: user(given),
});

export async function answerControl(
  api: BotApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const given = await readParameters(request, 'json');
  const [status, answer] = await obey(api, request.method === 'GET' ? 'GET' : 'POST', given);
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(`${JSON.stringify(answer, null, 1)}\n`);
}

async function obey(
  api: BotApi,
  method: 'GET' | 'POST',
  given: Given | null,
): Promise<readonly [status: number, answer: unknown]> {
  if (given === null) return [400, { ok: false, error: 'the body must be a JSON object' }];
  if (method === 'GET') return [200, { ok: true, result: stateOf(api) }];
  const name = String(given['do']);
  const order = Object.hasOwn(orders, name) ? orders[name] : undefined;
  if (order === undefined)
    return [400, { ok: false, error: `do must be one of ${Object.keys(orders).join(', ')}` }];
  try {
    const bot = api.bots[integerOf(given['bot']) ?? 0];
    if (bot === undefined) throw new WrongOrder(`there are ${api.bots.length} bots, counted from 0`);
    return [200, { ok: true, result: (await order({ api, bot, given })) ?? true }];
  } catch (error) {
    return [400, { ok: false, error: error instanceof Error ? error.message : String(error) }];
  }
}

function stateOf(api: BotApi): object {
  return {
    root: api.root,
    polling: api.polling,
    calls: api.calls,
    bots: api.bots.map(({ token, world }) => ({
      token,
      user: world.bot,
      pending: world.updates,
      toasts: world.toasts(),
      chats: world.chats().map((chat) => ({ ...chat, messages: world.messages(chat.id) })),
    })),
  };
}
