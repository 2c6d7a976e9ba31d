/** Catches: an error text that repeats what a child wrote, which may be a secret. */
import { expect, test } from 'vitest';
import { researchPacket } from '../test/samples.ts';
import { documentPath, firstIssue } from './issue-path.ts';
import { LIMIT_DEFAULTS } from './limits.ts';
import { packetSchema } from './packet-schemas.ts';

const schema = packetSchema('researcher', { limits: LIMIT_DEFAULTS, mode: 'metric' });

function told(packet: unknown): string {
  const parsed = schema.safeParse(packet);
  if (parsed.success) throw new Error('expected a finding');
  const { path, expected } = firstIssue(parsed.error);
  return `${path}: ${expected}`;
}

test('a path is written as one would write it', () => {
  expect(documentPath([])).toBe('$');
  expect(documentPath(['claims', 0, 'claim'])).toBe('$.claims[0].claim');
  expect(documentPath(['a b', 'ok_1', '"'])).toBe('$["a b"].ok_1["\\""]');
});

test('a finding names path and expectation, and never the value that was found', () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  expect(told({ ...researchPacket(), status: secret })).toMatch(/^\$\.status: /);
  expect(told({ ...researchPacket(), stuck_level: 9 })).toBe(
    '$.stuck_level: Invalid option: expected one of 0|1|2|3',
  );
  expect(told({ ...researchPacket(), uncertainties: ['x'.repeat(5_000)] })).toBe(
    '$.uncertainties[0]: expected at most 4096 code points',
  );
  expect(told({ ...researchPacket(), [secret]: 1 })).toBe('$: no unknown keys');
  expect(told(secret)).toMatch(/^\$: /);
  for (const packet of [
    secret,
    [secret],
    { ...researchPacket(), status: secret },
    { ...researchPacket(), [secret]: 1 },
    { ...researchPacket(), claims: [{ [secret]: secret }] },
    { ...researchPacket(), claims: secret },
    { ...researchPacket(), stuck_level: secret },
  ]) {
    expect(told(packet)).not.toContain(secret);
  }
});
