import { expect, test } from 'vitest';
import { readRecord, recordText, sameAsker, sameDaemon } from './record.ts';
import { asker, received, run, sent } from './step.fixture.ts';

test('a record of a newer version is named by its version and never read as ours [DAEM-12]', () => {
  expect(readRecord('{"v":2,"anything":[]}')).toEqual({ code: 'newer', v: 2 });
});

test('a record cut anywhere is unfinished, and other damage is said, never thrown [DAEM-12]', () => {
  const text = recordText(run(received, sent));
  for (let at = 0; at < text.length - 1; at += 7)
    expect(readRecord(text.slice(0, at)).code, `cut at ${at}`).toBe('unfinished');
  expect(readRecord(`${'\0'.repeat(512)}${text.slice(512)}`).code, 'a hole').toBe('unfinished');
  expect(readRecord('\0\n').code).toBe('unfinished');
  for (const bad of [
    'null',
    '42',
    '[]',
    '{}',
    '{"v":1}',
    '{"v":"1"}',
    '{"v":1,\n',
    text.replace('"pending"', '"asked"').replace('"delivered"', '"asked"'),
  ])
    expect(readRecord(bad).code, bad).toBe('damaged');
});

test('the stored form of a question is pinned [DAEM-12]', () => {
  const { owed: _owed, ...record } = run(received, sent);
  expect(recordText({ ...record, owed: [] })).toBe(
    '{"v":1,"qid":"01J9ZQ4V7N3K8M2R5T6W8X9Y0A","daemon":{"name":"user-remote","project":"default","coms_dir":"/c"},' +
      '"asker":{"name":"planner","cwd":"/srv","project":"default","session":"s1","endpoint":"/c/sockets/s1.sock","hops":0},' +
      '"prompt_digest":"d0","question":{"question":"Go?","options":[{"title":"Yes"},{"title":"No"}]},' +
      '"asked_at":"2026-11-30T10:00:00.000Z","timeout_ms":60000,"deadline":"2026-11-30T10:01:00.000Z",' +
      '"state":"delivered","message_ids":[],"owed":[]}\n',
  );
});

test('the same sender is the same name, project and cwd, whatever its session [DAEM-20 DAEM-16]', () => {
  expect(sameAsker(asker, { ...asker, session: 's2', endpoint: '/c/sockets/s2.sock' })).toBe(true);
  expect(sameAsker(asker, { ...asker, name: 'other' })).toBe(false);
  expect(sameAsker(asker, { ...asker, cwd: '/other' })).toBe(false);
  expect(sameAsker(asker, { ...asker, project: 'docs' })).toBe(false);
  const nameless = { ...asker, name: null, cwd: null };
  expect(sameAsker(nameless, { ...nameless, endpoint: '/c/sockets/s2.sock' })).toBe(true);
  expect(sameAsker(nameless, { ...nameless, session: 's2' })).toBe(false);
  const anonymous = { ...nameless, session: null };
  expect(sameAsker(anonymous, { ...anonymous, endpoint: '/c/sockets/s2.sock' })).toBe(false);
  expect(sameAsker(anonymous, anonymous)).toBe(true);
});

test('the same daemon is the same name in the same project of the same coms folder [DAEM-14]', () => {
  const daemon = { name: 'user-remote', project: 'default', coms_dir: '/c' };
  expect(sameDaemon(daemon, { ...daemon })).toBe(true);
  expect(sameDaemon(daemon, { ...daemon, project: 'docs' })).toBe(false);
  expect(sameDaemon(daemon, { ...daemon, coms_dir: '/d' })).toBe(false);
});
