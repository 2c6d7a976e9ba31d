/**
 * The bug this exists to catch: an exit code 0 for a message that was lost, or delivered twice, when many register
 * and send at once.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coms, openPlace, startServe } from './command.ts';

const full = process.env['FULL'] === '1';
const processes = full ? 30 : 8;
const rounds = full ? 20 : 1;

test(
  `${processes} processes register and send at once, ${rounds} times (30 and 20 with FULL=1): each exit 0 was delivered exactly once [COMS-15 COMS-11]`,
  { timeout: 600_000 },
  async () => {
    const place = openPlace();
    const serve = await startServe(place, ['--name', 'bob'], (prompt) => `for ${String(prompt['prompt'])}`);
    for (let round = 0; round < rounds; round += 1) {
      const texts = Array.from({ length: processes }, (_, index) => `${round}-${index}`);
      const runs = await Promise.all(texts.map((text) => coms(place, ['send', 'bob', text, '--await'])));
      expect(runs.map(({ code, out }) => `${code} ${out}`)).toEqual(texts.map((text) => `0 for ${text}\n`));
    }
    const delivered = serve.lines.map((line) => String(line['prompt']));
    expect(delivered).toHaveLength(processes * rounds);
    expect(new Set(delivered).size).toBe(processes * rounds);
    expect(readdirSync(join(place.root, 'projects/default/agents'))).toEqual(['bob.json']);
    expect(readdirSync(join(place.root, 'sockets'))).toHaveLength(1);
  },
);
