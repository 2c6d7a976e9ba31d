/** The bug these exist to catch: a registry in each working folder, whose peers do not find each other. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { homeFolder, openComs } from './index.ts';

afterEach(() => void vi.unstubAllEnvs());

test.runIf(process.platform !== 'win32')(
  'an empty or relative HOME counts as none, and never means the working folder',
  () => {
    for (const home of ['', 'somewhere', '.']) {
      vi.stubEnv('HOME', home);
      expect(homeFolder()).toBe(userInfo().homedir);
      const opened = openComs({ env: {} });
      if (opened.ok) expect(opened.coms.root).toBe(join(userInfo().homedir, '.pi', 'coms'));
      else expect(opened.path).toContain(userInfo().homedir);
    }
    vi.stubEnv('HOME', '/home/ann');
    expect(homeFolder()).toBe('/home/ann');
  },
);
