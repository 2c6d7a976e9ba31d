/** A fresh world with Telegram for each test of a file, ended after it. */
import { afterEach, beforeEach } from 'vitest';
import { createTelegramWorld, type TelegramWorld } from './telegram-world.ts';

export const useTelegramWorld = (): (() => TelegramWorld) => {
  let world: TelegramWorld | null = null;
  beforeEach(async () => {
    world = await createTelegramWorld();
  });
  afterEach(async () => {
    await world?.end();
    world = null;
  });
  return () => {
    if (world === null) throw new Error('no test is running');
    return world;
  };
};
