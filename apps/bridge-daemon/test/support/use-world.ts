/** A fresh world for each test of a file, ended after it. */
import { afterEach, beforeEach } from 'vitest';
import { createWorld, type World } from './world.ts';

export const useWorld = (): (() => World) => {
  let world: World | null = null;
  beforeEach(() => {
    world = createWorld();
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
