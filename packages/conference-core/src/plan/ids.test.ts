/** The bugs: two dispatches under one id, an id that a replay or a read-only look would name differently. */
import { parseUlidTime } from '../../test/support/ulid.ts';
import { expect, test } from 'vitest';
import { CONFERENCE, pureRoot, rowAt, START, STRANGER } from '../../test/support/pure-root.ts';
import { run } from '../../test/support/steps.ts';
import { proposals } from '../proposals.ts';
import { allRows } from '../state.ts';
import { decisionIdFor, dispatchIdFor } from './ids.ts';

const planned = pureRoot().state.planned;
if (planned === null) throw new Error('not planned');

test('ids are pinned: a ULID of the time of the plan and a digest of what the id is for [CONF-28]', () => {
  expect(planned.conference_id).toBe(CONFERENCE);
  const seat = { role: 'researcher', round: 1, lane: 0, attempt: 1 } as const;
  const id = dispatchIdFor(planned, seat);
  expect(id).toBe('01M8P570G0NJXZ8172T77QT5XW');
  expect(parseUlidTime(id)).toBe(START);
  expect(dispatchIdFor(planned, seat)).toBe(id);
  expect(decisionIdFor(planned, { kind: 'pause', round: 1, number: 1 })).toBe('01M8P570G09CMZ7KCV9HJ8W2Q8');
});

test('every part of what an id is for makes another id, and so does another conference [CONF-28]', () => {
  const seats = [
    { role: 'researcher', round: 1, lane: 0, attempt: 1 },
    { role: 'researcher', round: 1, lane: 1, attempt: 1 },
    { role: 'researcher', round: 2, lane: 0, attempt: 1 },
    { role: 'researcher', round: 1, lane: 0, attempt: 2 },
    { role: 'poster', round: 1, lane: null, attempt: 1 },
    { role: 'reviewer', round: 1, lane: null, attempt: 1 },
    { role: 'synthesis', round: 1, lane: null, attempt: 1 },
  ] as const;
  const other = { ...planned, conference_id: CONFERENCE.replace('01J', '01K') as typeof CONFERENCE }; // another ULID
  const later = { ...planned, planned_ms: START + 1 };
  const ids = [planned, other, later].flatMap((from) => seats.map((seat) => dispatchIdFor(from, seat)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain(STRANGER);
});

test('what is proposed is named before it is issued, by anybody and alike [CONF-28]', () => {
  const root = run('start');
  const named = [...proposals(root.state)].map(({ dispatch_id }) => dispatch_id);
  expect([...proposals(root.state)].map(({ dispatch_id }) => dispatch_id)).toEqual(named);
  run('issue', {}, root);
  expect([...allRows(root.state)].map(({ dispatch_id }) => dispatch_id)).toEqual(named);
  expect(rowAt(root, 'A').dispatch_id).toBe(named[0]);
});

test('two runs of the same answers at the same times are the same events, byte for byte [CONF-28 CONF-24]', () => {
  const steps =
    'start; round 20; issue; A ok fast; B bad; C lost; answer redispatch; issue; B ok 9; C ok 8; cancel; close';
  const [one, two] = [run(steps), run(steps)];
  expect(JSON.stringify(one.events)).toBe(JSON.stringify(two.events));
});
