/** A test server for each test of a file, with a private chat, a group and a forum in it. */
import { afterEach, beforeEach, expect } from 'vitest';
import { startBotApi, type BotApi } from './server.ts';

export const ANNA = { id: 42, is_bot: false, first_name: 'Anna', username: 'ann' };
export const BOB = { id: 8, is_bot: false, first_name: 'Bob' };
export const CHAT = 42;
export const OTHERS = 43;
export const GROUP = -100_500;

export const useServer = (): {
  readonly api: () => BotApi;
  /** The answer of one method with its HTTP status. */
  readonly call: (method: string, parameters?: object, token?: string) => Promise<Record<string, unknown>>;
} => {
  let current: BotApi | null = null;
  const api = (): BotApi => {
    if (current === null) throw new Error('no test is running');
    return current;
  };
  beforeEach(async () => {
    current = await startBotApi();
    current.world.addChat({ id: CHAT, type: 'private', first_name: 'Anna' });
    current.world.addChat({ id: OTHERS, type: 'group', title: 'Others' });
    current.world.addChat({ id: GROUP, type: 'supergroup', title: 'Docs', is_forum: true });
  });
  afterEach(async () => {
    await current?.close();
    current = null;
  });
  const call = async (
    method: string,
    parameters: object = {},
    token = api().token,
  ): Promise<Record<string, unknown>> => {
    const response = await fetch(`${api().root}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
    });
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null ? { ...answer, status: response.status } : {};
  };
  return { api, call };
};

/** Looks until it is so, however busy the machine is. */
export const eventually = async <Value>(look: () => Value | Promise<Value>, wanted: Value): Promise<void> => {
  await expect.poll(look, { timeout: 60_000, interval: 10 }).toBe(wanted);
};
