/**
 * Catches: a crash, a hang, or an admitted packet that the schema of its charter refuses. FULL=1 runs 200,000
 * mutants of the corpus; FUZZ_SEED picks another series.
 */
import { canonicalJson, digestOf, LIMIT_DEFAULTS, packetSchema } from '@x/protocol';
import { expect, test } from 'vitest';
import { charterFor, corpusLinks, corpusScanner, SELF } from '../../scripts/corpus-expand.ts';
import { mutants } from '../../scripts/corpus-mutate.ts';
import { admitPacket } from './admit.ts';

const FULL = process.env['FULL'] === '1';
const COUNT = FULL ? 200_000 : 1_500;
const shape = { limits: LIMIT_DEFAULTS, mode: 'metric' } as const;
const SCHEMAS = {
  researcher: packetSchema('researcher', shape),
  poster: packetSchema('poster', shape),
  reviewer: packetSchema('reviewer', shape),
  synthesis: packetSchema('synthesis', shape),
};
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_130);

test(
  'mutants of the corpus are admitted as the schema says or refused with a bounded reason, never anything else [CHAR-03]',
  { timeout: FULL ? 3_600_000 : 120_000 },
  async () => {
    const found = new Map<string, number>();
    let slowest = 0;
    for (const { item, bytes } of mutants(COUNT, SEED)) {
      const charter = charterFor(item.role);
      const before = process.cpuUsage();
      const admission = await admitPacket(bytes, charter, LIMIT_DEFAULTS, corpusLinks, corpusScanner);
      const { user, system } = process.cpuUsage(before);
      slowest = Math.max(slowest, (user + system) / 1_000);
      const code = admission.ok ? 'accepted' : admission.code;
      found.set(code, (found.get(code) ?? 0) + 1);
      if (admission.ok) {
        expect(SCHEMAS[item.role].safeParse(JSON.parse(admission.content)).success).toBe(true);
        expect(admission.content).toBe(canonicalJson(JSON.parse(admission.content)));
        expect(admission.packet.dispatch_id).toBe(SELF);
        expect(admission.packet.status).not.toBe('failed');
        expect(admission.digest).toBe(digestOf(bytes));
      } else {
        expect(admission.reason).not.toBe('');
        expect([...admission.reason].length).toBeLessThanOrEqual(300);
        // Our own words only: nothing that a terminal or a log could choke on.
        expect(admission.reason).toMatch(/^[\x20-\x7e…]+$/);
      }
    }
    // The series really met both sides.
    expect(found.get('accepted') ?? 0).toBeGreaterThan(COUNT / 50);
    expect(found.get('PACKET_MALFORMED') ?? 0).toBeGreaterThan(COUNT / 10);
    if (FULL)
      console.log(
        `seed ${SEED}, ${COUNT} mutants, slowest ${slowest.toFixed(0)} ms of processor`,
        Object.fromEntries(found),
      );
  },
);
