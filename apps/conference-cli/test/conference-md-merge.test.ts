/**
 * Catches an edit of the user that is lost or passed over when the root writes conference.md back: between two rounds,
 * between reading and writing, in the plan part, and in what round 1 quoted.
 */
import { CONFERENCE_MD, type ConferenceMdUpdate, type Planned } from '@x/conference-core';
import { asDigest } from '@x/ledger';
import { digestOf, parseConferenceId } from '@x/protocol';
import { expect, test } from 'vitest';
import { conferenceMdDrift, writtenRootsDigest } from '../src/conference-md/drift-conference-md.ts';
import { gateConferenceMd } from '../src/conference-md/gate-conference-md.ts';
import { mergeConferenceMd, type ConferenceMdPlace } from '../src/conference-md/merge-conference-md.ts';
import { MERGED_BYTES_MAX } from '../src/conference-md/sections.ts';
import { updateConferenceMd } from '../src/conference-md/update-conference-md.ts';

const ID = parseConferenceId('01J9ZQ4V7N3K8M2R5T6W8X9Y0A');
if (ID === null) throw new Error('not a ULID');

const UPDATE: ConferenceMdUpdate = {
  conference_id: ID,
  log: [['1', 'A', '91.2%', 'caching helps', 'validated']],
  knowledge: ['caching helps'],
};

const FILE = `## Goal

Find it.

## Mode

metric

## Success Metric

- **Metric:** acc
- **Target:** > 95%
- **Direction:** maximize

## Researchers

- **Count:** 2
- **Iterations per round:** 1
- **Max rounds:** 2
- **Critic / Devil's Advocate:** no

## Search Space

- **Allowed changes:** settings
- **Forbidden changes:** none

## Constraints

- **Researcher timeout:** 1m
- **Allowed read roots:** ../data; notes

## Current Approach

As it came.

## Notes

Mine.
`;

function planned(md: string, folder: string): Planned {
  const { gate } = gateConferenceMd(md, { folder, passEnv: [] });
  if (!gate.complete || ID === null) throw new Error('the sample is not complete');
  const { plan, plan_digest } = gate;
  return {
    conference_id: ID,
    plan,
    plan_digest,
    source_digest: digestOf(md),
    written_roots_digest: writtenRootsDigest(md),
    planned_ms: 0,
    replay: false,
  };
}

/** A file in memory; `meanwhile` changes it after each reading. */
function placeOf(text: string | Uint8Array | null, meanwhile: (text: string) => string = (same) => same) {
  let bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  let writes = 0;
  const place: ConferenceMdPlace = {
    folder: '/a/folder',
    read: () => {
      const read = bytes;
      if (read === null) return { status: 'missing' };
      bytes = new TextEncoder().encode(meanwhile(new TextDecoder('utf-8', { ignoreBOM: true }).decode(read)));
      return { status: 'found', bytes: read, digest: asDigest(digestOf(read)) };
    },
    write: (next, replaces) => {
      const present = bytes === null ? null : digestOf(bytes);
      if (present !== replaces && present !== digestOf(next)) {
        const found = asDigest(present ?? digestOf(''));
        return { status: 'refused', code: 'WRITE_TARGET_UNKNOWN', message: 'other bytes', path: '', found };
      }
      bytes = next;
      writes += 1;
      return { status: 'written', digest: asDigest(digestOf(next)), how: 'replaced' };
    },
  };
  return {
    place,
    text: () => (bytes === null ? null : new TextDecoder().decode(bytes)),
    writes: () => writes,
  };
}

function merge(held: ReturnType<typeof placeOf>, changes: { known?: string; asFound?: boolean } = {}) {
  const { known = FILE, asFound = false } = changes;
  return mergeConferenceMd(held.place, {
    update: UPDATE,
    planned: planned(FILE, '/a/folder'),
    known: digestOf(known),
    asFound,
  });
}

test('a file that nobody touched is written back with log and findings [LEDG-21 AUTO-19]', () => {
  const held = placeOf(FILE);
  const merged = merge(held);
  const expected = updateConferenceMd(FILE, UPDATE);
  expect(held.text()).toBe(expected);
  expect(merged).toEqual({ status: 'written', digest: digestOf(expected), bytes: expected.length });
});

test('prose that the plan does not rest on may change: it is read again and merged [LEDG-26]', () => {
  const edited = FILE.replace('Mine.', 'Mine, and more.').replace('# Notes', '# Notes of today');
  const held = placeOf(edited);
  expect(merge(held).status).toBe('written');
  expect(held.text()).toBe(updateConferenceMd(edited, UPDATE));
});

test.each([
  ['- **Max rounds:** 2', '- **Max rounds:** 3', 'plan part: max_rounds, max_total_iterations'],
  ['Find it.', 'Find another.', 'plan part: goal'],
  ['As it came.', 'As we made it.', 'quoted: Current Approach'],
  ['## Notes', '## Shared Knowledge', 'quoted: Shared Knowledge'],
  ['## Notes', '## Context & References', 'quoted: Context & References'],
  ['- **Count:** 2', '- **Count:** two', 'not complete any more: Researchers › Count'],
  ['../data; notes', '../data; elsewhere', 'plan part: allowed_read_roots'],
  ['../data; notes', '../../data; notes', 'plan part: allowed_read_roots'],
])(
  'a changed plan or quoted section blocks, and nothing is written: %s → %s [LEDG-26 PROTO-35]',
  (from, to, what) => {
    const edited = FILE.replace(from, to);
    const held = placeOf(edited);
    const refused = merge(held);
    expect(refused).toMatchObject({ status: 'refused', code: 'BLOCKED_STALE_CONFERENCE_STATE' });
    expect('message' in refused ? refused.message : '').toContain(what);
    expect(held.text()).toBe(edited);
    expect(held.writes()).toBe(0);
    // A person who was asked, and took the file as it is, is not asked again.
    expect(merge(held, { asFound: true }).status).toBe('written');
    expect(held.text()).toBe(updateConferenceMd(edited, UPDATE));
  },
);

test('what the root wrote before is no drift, whatever the next round adds [LEDG-26 LEDG-21]', () => {
  const first = updateConferenceMd(FILE, { ...UPDATE, knowledge: [], log: [] });
  const edited = first.replace('Mine.', 'Mine, later.');
  expect(conferenceMdDrift(edited, planned(FILE, '/a/folder'), '/a/folder')).toEqual([]);
  expect(merge(placeOf(edited), { known: first }).status).toBe('written');
});

test('a file copied elsewhere has the roots that it had where it came from [LEDG-26]', () => {
  const plan = planned(FILE, '/home/ann/work');
  const edited = FILE.replace('Mine.', 'Hers.');
  expect(conferenceMdDrift(edited, plan, '/out')).toEqual([]);
  expect(conferenceMdDrift(edited.replace('../data', '../../data'), plan, '/out')).not.toEqual([]);
  expect(conferenceMdDrift(edited.replace('../data', '/data'), plan, '/out')).not.toEqual([]);
  expect(conferenceMdDrift(edited.replace('; notes', ''), plan, '/out')).not.toEqual([]);
});

test('a root that is written otherwise is another root, though its end is the same: in a copy, and where the file stayed [LEDG-26]', () => {
  for (const [written, rewritten] of [
    ['../data', 'data'],
    ['../data', '../old/data'],
    ['; notes', '; work/notes'],
  ] as const) {
    const one = FILE.replace('../data; notes', written.startsWith(';') ? `../data${written}` : written);
    const other = one.replace(written, rewritten);
    for (const folder of ['/home/ann/work', '/out']) {
      const plan = planned(one, '/home/ann/work');
      expect(conferenceMdDrift(one, plan, folder)).toEqual([]);
      expect([folder, rewritten, conferenceMdDrift(other, plan, folder)]).toEqual([
        folder,
        rewritten,
        ['conference.md changed in its plan part: allowed_read_roots'],
      ]);
    }
  }
});

test('an edit between reading and writing is read again, never written over [LEDG-26]', () => {
  let edits = 0;
  const held = placeOf(FILE, (text) => {
    edits += 1;
    return edits === 1 ? text.replace('Mine.', 'Mine, at the last moment.') : text;
  });
  expect(merge(held).status).toBe('written');
  expect(held.text()).toContain('Mine, at the last moment.');
  const spoiled = placeOf(FILE, (text) => text.replace('**Count:** 2', '**Count:** 4'));
  expect(merge(spoiled)).toMatchObject({ code: 'BLOCKED_STALE_CONFERENCE_STATE' });
  const restless = placeOf(FILE, (text) => `${text}\nagain`);
  expect(merge(restless)).toMatchObject({ code: 'BLOCKED_STALE_CONFERENCE_STATE' });
  expect(restless.writes()).toBe(0);
});

test('a file that is gone, is no file, no UTF-8 or far too large is asked about, not made up [LEDG-26]', () => {
  const gone = placeOf(null);
  expect(merge(gone)).toMatchObject({ code: 'BLOCKED_STALE_CONFERENCE_STATE' });
  expect(gone.text()).toBe(null);
  expect(merge(gone, { asFound: true }).status).toBe('written');
  expect(gone.text()).toBe(updateConferenceMd('', UPDATE));
  const link = mergeConferenceMd(
    { ...placeOf(FILE).place, read: () => ({ status: 'other', found: 'a symbolic link' }) },
    { update: UPDATE, planned: planned(FILE, '/a/folder'), known: null, asFound: true },
  );
  expect(link).toMatchObject({ code: 'BLOCKED_STALE_CONFERENCE_STATE' });
  for (const bytes of [new Uint8Array([0xff, 0xfe, 0x41]), new Uint8Array(MERGED_BYTES_MAX + 1)]) {
    const held = placeOf(bytes);
    expect(merge(held, { asFound: true })).toMatchObject({ code: 'BLOCKED_STALE_CONFERENCE_STATE' });
    expect(held.writes()).toBe(0);
  }
});

test('what a write refuses for another reason is passed on as it is', () => {
  const refused = {
    status: 'refused',
    code: 'WRITE_DISK_FULL',
    message: 'full',
    path: CONFERENCE_MD,
  } as const;
  const place: ConferenceMdPlace = {
    ...placeOf(FILE).place,
    write: () => ({ ...refused, errno: 'ENOSPC', operation: 'write' }),
  };
  expect(
    mergeConferenceMd(place, {
      update: UPDATE,
      planned: planned(FILE, '/a/folder'),
      known: digestOf(FILE),
      asFound: false,
    }),
  ).toMatchObject(refused);
});
