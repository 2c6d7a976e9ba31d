import { expect, test } from 'vitest';
import { digestOf } from './digest.ts';
import { checkGrant, checkWrite, type Grant, type PlannedWrite, type WriteSituation } from './grant.ts';

const grant: Grant = {
  grant_id: 'g1',
  root: '/r',
  actions: ['write'],
  revision: 3,
  granted_by: 'olena',
  expires_at: '2026-01-01T00:00:10.000Z',
};
const packet = digestOf('packet');
const planned: PlannedWrite = { grant_id: 'g1', grant_revision: 3, revision: 12, digest: packet };
const situation: WriteSituation = {
  grant,
  now: '2026-01-01T00:00:09.999Z',
  revision: 12,
  accepts: (digest) => digest === packet,
};
const checkOf = (change: Partial<WriteSituation>, plan: Partial<PlannedWrite> = {}): string =>
  checkWrite({ ...planned, ...plan }, { ...situation, ...change })?.check ?? 'passed';

test('a write passes only while grant, revisions and digest are those it was planned for, and the failed check is named [PROTO-37]', () => {
  expect(checkOf({})).toBe('passed');
  expect(checkOf({}, { digest: null })).toBe('passed');
  expect(checkOf({ grant: null })).toBe('grant');
  expect(checkOf({ grant: { ...grant, grant_id: 'g2' } })).toBe('grant');
  expect(checkOf({ grant: { ...grant, actions: ['read'] } })).toBe('grant');
  expect(checkOf({ grant: { ...grant, revision: 4 } })).toBe('revision');
  expect(checkOf({ revision: 13 })).toBe('revision');
  expect(checkOf({ revision: 11 })).toBe('revision');
  expect(checkOf({}, { digest: digestOf('another') })).toBe('digest');
});

test('a grant does not count from the moment it expires, nor when its end or the time cannot be read [LEDG-14]', () => {
  expect(checkGrant(grant, '2026-01-01T00:00:09.999Z')).toBeNull();
  expect(checkGrant(grant, '2026-01-01T00:00:10.000Z')).toMatchObject({ check: 'grant' });
  expect(checkGrant({ ...grant, expires_at: 'soon' }, situation.now)).toMatchObject({ check: 'grant' });
  expect(checkGrant(grant, 'now')).toMatchObject({ check: 'grant' });
  const { expires_at: _, ...forEver } = grant;
  expect(checkGrant(forEver, '9999-12-31T23:59:59.999Z')).toBeNull();
  expect(checkGrant(null, situation.now)).toMatchObject({ check: 'grant', reason: 'no grant is active' });
});
