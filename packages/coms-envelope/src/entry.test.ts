/** The bugs these exist to catch: a dead peer shown as live, a live one pruned, a foreign entry refused needlessly. */
import { expect, test } from 'vitest';
import { isLive, readEntry, type RegistryEntry } from './entry.ts';

const literal =
  '{"session_id":"s1","name":"bob","purpose":"p","model":"m","color":"c","pid":7,"endpoint":"/s/s1.sock","cwd":"/w","started_at":"2026-01-01T00:00:00.000Z","explicit":false,"version":1,"context_used_pct":3,"queue_depth":2,"heartbeat_at":"2026-01-01T00:00:30.000Z"}';

function entry(changes: Partial<Record<keyof RegistryEntry, unknown>> = {}): RegistryEntry {
  const read = readEntry(JSON.stringify({ ...(JSON.parse(literal) as object), ...changes }), 'bob');
  if (!read.ok) throw new Error(read.problem);
  return read.entry;
}

test('an entry with every field is read as it stands [COMS-09]', () => {
  const read = readEntry(literal, 'bob');
  expect(read.ok && JSON.stringify(read.entry)).toBe(literal);
});

test('unknown fields are kept, missing texts are empty, times may be numbers [COMS-09]', () => {
  const read = readEntry(
    '{"session_id":"s","name":"bob","pid":1,"endpoint":"/e","heartbeat_at":5,"more":[1]}',
    'bob',
  );
  expect(read).toMatchObject({
    ok: true,
    entry: { purpose: '', explicit: false, heartbeat_at: 5, more: [1] },
  });
});

test('what is no entry says which field is wrong', () => {
  const problems = [
    ['not json', 'not JSON'],
    ['[]', 'expected object'],
    ['{}', 'field session_id: expected string'],
    [JSON.stringify({ ...entry(), pid: 'x' }), 'field pid: expected number'],
    [JSON.stringify({ ...entry(), pid: -1 }), 'field pid: must be above zero'],
    [JSON.stringify({ ...entry(), name: '../x' }), 'field name'],
    [JSON.stringify({ ...entry(), name: 'alice' }), 'field name: is alice, the file is bob'],
    [JSON.stringify({ ...entry(), endpoint: '' }), 'field endpoint: must not be empty'],
  ];
  for (const [text = '', problem = ''] of problems) {
    const read = readEntry(text, 'bob');
    expect(read.ok ? 'accepted' : read.problem).toContain(problem);
  }
});

const start = Date.parse('2026-01-01T00:00:00.000Z');
const never = (): never => {
  throw new Error('the pid was looked at');
};

test('a heartbeat of 90 s, or with 5 s of lead, is life without a look at the pid [COMS-10]', () => {
  const beating = entry({ heartbeat_at: '2026-01-01T00:00:00.000Z' });
  for (const now of [start, start + 90_000, start - 5_000]) expect(isLive(beating, now, never)).toBe(true);
  expect(isLive(entry({ heartbeat_at: start }), start + 90_000, never)).toBe(true);
});

test('beyond that, and without a heartbeat, the pid decides [COMS-10]', () => {
  const beating = entry({ heartbeat_at: '2026-01-01T00:00:00.000Z' });
  for (const now of [start + 90_001, start - 5_001]) {
    expect(isLive(beating, now, () => 'alive')).toBe(true);
    expect(isLive(beating, now, () => 'dead')).toBe(false);
  }
  for (const heartbeat_at of [undefined, 'whenever']) {
    expect(isLive(entry({ heartbeat_at }), start, () => 'dead')).toBe(false);
    expect(isLive(entry({ heartbeat_at }), start, () => 'alive')).toBe(true);
  }
});
