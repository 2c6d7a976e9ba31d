/**
 * The bugs these exist to catch: a child that is given more than its charter (a variable, a path, a descriptor, a
 * file), that changes the conference folder, or that lives on when its root is killed.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  childScript,
  conference,
  freshFolder,
  isAlive,
  makeFolder,
  removeFolder,
  until,
} from './support/command.ts';
import { planDigest, writeConferenceMd } from './support/conference-md.ts';
import { readEvents, snapshot } from './support/folder.ts';
import { noteOf, readNotes, runOnce, startRun, temporaryRoots } from './support/run.ts';

describe('what a child is given', () => {
  let place: string;
  let ran: Awaited<ReturnType<typeof runOnce>>;
  let notes: Map<string, string[]>;
  beforeAll(async () => {
    place = makeFolder();
    ran = await runOnce({
      place,
      noting: true,
      args: ['--pass-env', 'GIVEN'],
      env: {
        GIVEN: 'on purpose',
        LC_MESSAGES: 'C',
        TZ: 'Asia/Kathmandu',
        GITHUB_TOKEN: 'nobody’s business',
        NODE_OPTIONS: '--no-warnings',
        AWS_PROFILE: 'prod',
      },
    });
    notes = readNotes(ran.notes);
    return () => removeFolder(place);
  });

  test('is the charter, on stdin and in the file that CONFERENCE_CHARTER names, the same bytes [CLI-18]', () => {
    expect(ran.code, ran.err).toBe(0);
    expect(notes.size).toBe(5);
    for (const lines of notes.values()) expect(noteOf(lines, 'same_charter')).toBe('yes');
  });

  test('is a folder of its own, empty, as are its HOME and TMPDIR, and all are gone afterwards [CLI-18 PROTO-41]', () => {
    const folders = [...notes.values()].map((lines) => noteOf(lines, 'pwd') ?? '');
    expect(new Set(folders).size).toBe(5);
    for (const lines of notes.values()) {
      const listing = (noteOf(lines, 'files') ?? '').trim().split(/\s+/);
      expect(listing.filter((word) => !word.endsWith(':'))).toEqual([]);
      expect(listing).toHaveLength(3);
    }
    expect(temporaryRoots(place)).toEqual([]);
  });

  test('is a reduced environment: PATH, locale, zone, what --pass-env names, and that it may not delegate [CLI-18 AUTO-03]', () => {
    for (const lines of notes.values()) {
      const given = new Map(
        lines
          .filter((line) => line.startsWith('env:'))
          .map((line) => [line.slice(4).split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
      );
      // A shell sets these for itself.
      for (const own of ['PWD', 'OLDPWD', 'SHLVL', '_']) given.delete(own);
      expect([...given.keys()].toSorted()).toEqual([
        'CONFERENCE_CHARTER',
        'GIVEN',
        'HOME',
        'LANG',
        'LC_MESSAGES',
        'PATH',
        'TMPDIR',
        'TZ',
        'delegation_allowed',
      ]);
      expect(given.get('delegation_allowed')).toBe('false');
      expect(given.get('GIVEN')).toBe('on purpose');
    }
  });

  test('names --pass-env among the conditions, so that confirming covers it [CLI-18]', async () => {
    const cwd = freshFolder();
    writeConferenceMd(cwd);
    const { out } = await conference(['plan', '--pass-env', 'GIVEN'], { cwd });
    expect(out).toMatch(/Passed to children\s+GIVEN/);
    expect(await planDigest({ cwd }, ['--pass-env', 'GIVEN'])).not.toBe(await planDigest({ cwd }));
  });

  test('is no path of the conference folder, in no variable, argument or charter [AUTO-04]', () => {
    const charters = [...notes.values()].map((lines) => lines.join('\n'));
    for (const text of charters) expect(text).not.toContain(ran.folder);
    const objects = snapshot(ran.folder);
    expect(Object.keys(objects).length).toBeGreaterThan(8);
  });

  test('is no descriptor of ours beside its three: neither ledger nor guard pipe nor lock [AUTO-04]', () => {
    for (const lines of notes.values()) {
      const numbers = (noteOf(lines, 'descriptors') ?? '').split(' ').filter(Boolean).map(Number);
      // `ls` opens the folder that it lists, and a shell keeps its script open far above.
      expect(numbers.filter((each) => each > 3 && each < 10)).toEqual([]);
    }
  });
});

test('a child that writes all over its own folder changes nothing in the conference folder [AUTO-04]', async () => {
  const place = freshFolder();
  writeConferenceMd(place);
  writeFileSync(
    join(place, 'vandal.sh'),
    `#!/bin/sh
echo junk >junk; echo junk >"$HOME/junk"; mkdir -p "$TMPDIR/deep/er"; echo junk >../junk
rm -f "$CONFERENCE_CHARTER" 2>/dev/null
exec ${childScript}
`,
    { mode: 0o755 },
  );
  const digest = await planDigest({ cwd: place });
  const plain = await runOnce({ place: freshFolder() });
  const ran = await conference(
    ['run', '--host', 'exec:./vandal.sh', '--slots', '2', '--confirm', digest, '--write-to', 'out'],
    { cwd: place },
  );
  expect(ran.code, ran.err).toBe(0);
  const folder = join(place, 'out');
  const named = (of: string): string[] => Object.keys(snapshot(of)).filter((name) => !name.includes('/'));
  expect(named(folder)).toEqual(named(plain.folder));
  expect((await conference(['verify', 'out'], { cwd: place })).code).toBe(0);
  expect(temporaryRoots(place)).toEqual([]);
});

describe('when the root is killed with SIGKILL', () => {
  test.each([
    ['family', 'child and grandchild'],
    ['deaf', 'a child that ignores SIGTERM'],
    ...(process.platform === 'linux' ? [['fled', 'a grandchild that left the group']] : []),
  ])(
    '%s: %s and the guards are gone within bounded time, and the ledger is whole [CLI-22 AUTO-23]',
    async (behaviour = '') => {
      const place = freshFolder();
      const run = await startRun({ place, noting: true, behaviours: [`all=${behaviour}`] });
      await until(() => readNotes(run.notes).size === 2, 'two children');
      if (behaviour === 'family') {
        await until(() => noteFile(run.notes, 'grandchild') !== '', 'a grandchild');
      }
      const before = processesOf(place);
      expect(before.length).toBeGreaterThanOrEqual(2);
      onTestFinished(() => {
        for (const pid of processesOf(place)) endNow(pid);
      });
      run.child.kill('SIGKILL');
      expect((await run.ended).signal).toBe('SIGKILL');
      await until(() => processesOf(place).length === 0, 'the end of every child');
      for (const pid of before) expect(isAlive(pid)).toBe(false);
      expect(readEvents(run.folder).filter(({ event }) => event === 'dispatch.issued')).toHaveLength(2);
      const status = await conference(['status', run.folder, '--json'], { cwd: place });
      expect(JSON.parse(status.out)).toMatchObject({ liveness: 'interrupted', state: 'COLLECTING' });
      // What the killed root could not remove is removed by whoever goes on; here it must not be in the way.
      for (const root of temporaryRoots(place)) rmSync(join(place, root), { recursive: true });
    },
  );
});

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between the look and the signal.
  }
}

function noteFile(notes: string, name: string): string {
  try {
    return readFileSync(join(notes, name), 'utf8');
  } catch {
    return '';
  }
}

/** Processes whose environment names a charter below `place`, the guards included; by their notes where there is no /proc. */
function processesOf(place: string): number[] {
  return [...readNotes(join(place, 'notes')).values()]
    .map((lines) => Number(noteOf(lines, 'pid')))
    .concat(guardsOf(place))
    .filter(isAlive);
}

function guardsOf(place: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdir('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`CONFERENCE_CHARTER=${place}/`);
    } catch {
      return false;
    }
  });
}

function readdir(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number);
}
