/**
 * The bugs these exist to catch: a signal that cancels where it should only stop, that leaves children behind, or that
 * cannot be gone on from; and a Ctrl-C that ends work without asking the person at the terminal.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conference, freshFolder, isAlive, main, until } from './support/command.ts';
import { eventsNamed, readEvents } from './support/folder.ts';
import { noteOf, prepareRun, readNotes, startRun, temporaryRoots } from './support/run.ts';

async function hangingRun(args: readonly string[] = []) {
  const place = freshFolder();
  const run = await startRun({ place, noting: true, behaviours: ['A=hang'], args });
  await run.waitFor('received');
  const pids = [...readNotes(run.notes).values()].map((lines) => Number(noteOf(lines, 'pid')));
  return { ...run, place, pids };
}

describe('without a terminal', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s stops resumably: exit 1, how to go on, nothing cancelled, children and folders gone [CLI-25 PROTO-41 AUTO-23]',
    async (signal) => {
      const { child, ended, place, pids, folder } = await hangingRun();
      child.kill(signal);
      const ran = await ended;
      expect([ran.code, ran.signal]).toEqual([1, null]);
      expect(ran.out).toContain(`conference run --resume ${folder}`);
      for (const pid of pids) expect(isAlive(pid)).toBe(false);
      expect(temporaryRoots(place)).toEqual([]);
      const names = readEvents(folder).map(({ event }) => event);
      expect(names).not.toContain('dispatch.cancelled');
      expect(names).not.toContain('conference.cancelled');
      expect(names.filter((name) => name === 'dispatch.received')).toHaveLength(1);
      const status = await conference(['status', folder, '--json'], { cwd: place });
      expect(JSON.parse(status.out)).toMatchObject({ liveness: 'interrupted', state: 'COLLECTING' });
      expect((await conference(['verify', folder], { cwd: place })).code).toBe(0);
    },
  );

  test('Ctrl-C cancels cleanly: exit 130, open dispatches cancelled, closed with its receipt [CLI-06 CLI-02]', async () => {
    const { child, ended, place, pids, folder } = await hangingRun(['--ndjson']);
    child.kill('SIGINT');
    const ran = await ended;
    expect(ran.code).toBe(130);
    expect(JSON.parse(ran.out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      end: 'done',
      state: 'CANCELLED',
    });
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
    expect(eventsNamed(folder, 'dispatch.cancelled')).toHaveLength(1);
    expect(eventsNamed(folder, 'conference.cancelled')).toHaveLength(1);
    expect(readEvents(folder).at(-1)?.event).toBe('cleanup.receipt');
    expect(temporaryRoots(place)).toEqual([]);
    expect((await conference(['verify', folder], { cwd: place })).code).toBe(0);
  });

  test('a second Ctrl-C of a child that will not end still ends the run, and what is recorded verifies [CLI-06 AUTO-23]', async () => {
    const place = freshFolder();
    const run = await startRun({ place, noting: true, behaviours: ['A=deaf'] });
    await run.waitFor('received');
    run.child.kill('SIGINT');
    await run.waitFor('CANCELLED');
    run.child.kill('SIGINT');
    const { code } = await run.ended;
    expect([1, 130]).toContain(code);
    for (const lines of readNotes(run.notes).values())
      expect(isAlive(Number(noteOf(lines, 'pid')))).toBe(false);
    expect(temporaryRoots(place)).toEqual([]);
    expect([0, 4]).toContain((await conference(['verify', run.folder], { cwd: place })).code);
  });
});

const noScript =
  spawnSync('script', ['--version']).status === 0 ? '' : 'script of util-linux is not on this machine';

/** The command at a terminal that `script` makes; keys are what is written to its stdin. */
function atTerminal(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', `stty cols 60 rows 20; exec ${command}`, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      TMPDIR: cwd,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      ...env,
    },
    stdio: 'pipe',
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const shows = (word: string): Promise<void> =>
    until(() => screen.includes(word) || child.exitCode !== null, `${word} on the screen`);
  return { child, ended, shows, screen: () => screen, type: (keys: string) => void child.stdin.write(keys) };
}

const CTRL_C = '\u0003';
const DOWN = '\u001B[B';

describe.skipIf(noScript !== '')(`at a terminal${noScript && ` (skipped: ${noScript})`}`, () => {
  async function confirmedAtTerminal(behaviours: readonly string[], env?: Readonly<Record<string, string>>) {
    const place = freshFolder();
    const setting = await prepareRun({ place, noting: true, behaviours });
    const digest = setting.args[setting.args.indexOf('--confirm') + 1] ?? '';
    const args = setting.args.filter((word) => word !== '--confirm' && word !== digest);
    const terminal = atTerminal(args, place, env);
    await terminal.shows('Type the first 8 digits');
    return { ...setting, ...terminal, place, digest: digest.slice('sha256:'.length) };
  }

  test('the plan is confirmed by the first digits of its digest; the live view is drawn and the files are named [AUTO-11]', async () => {
    const run = await confirmedAtTerminal([]);
    run.type(`${run.digest.slice(0, 8)}\r`);
    expect(await run.ended).toBe(0);
    expect(run.screen()).toContain('best by round');
    expect(run.screen()).toContain('final_report.md');
    expect(readEvents(run.folder).at(-1)?.event).toBe('cleanup.receipt');
  });

  test.each(['yes', '0000000', ''])(
    '%j confirms nothing, and nothing is started [AUTO-11]',
    async (answer) => {
      const run = await confirmedAtTerminal([]);
      run.type(`${answer}\r`);
      expect(await run.ended).toBe(3);
      expect(readNotes(run.notes).size).toBe(0);
    },
  );

  test('NO_COLOR gives plain lines, without one escape of ours after the question [CLI-01]', async () => {
    const place = freshFolder();
    const { args } = await prepareRun({ place });
    const run = atTerminal(args, place, { NO_COLOR: '1' });
    expect(await run.ended).toBe(0);
    // oxlint-disable-next-line no-control-regex -- there must be none
    expect(run.screen()).not.toMatch(/\u001B/);
    expect(run.screen()).toMatch(/issued {5}researcher A/);
  });

  test('no line of the live view is wider than the terminal', async () => {
    const place = freshFolder();
    const { args } = await prepareRun({ place });
    const run = atTerminal(args, place);
    expect(await run.ended).toBe(0);
    const picture = run.screen().slice(0, run.screen().lastIndexOf('CONVERGED, target_met'));
    // oxlint-disable-next-line no-control-regex -- escapes take no columns
    const lines = picture.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '').split(/\r?\n/);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(60);
  });

  test('Ctrl-C asks once; "Go on" goes on, "Cancel it" cancels with exit 130 [CLI-06]', async () => {
    const run = await confirmedAtTerminal(['A=hang']);
    run.type(`${run.digest.slice(0, 8)}\r`);
    await run.shows('received');
    run.type(CTRL_C);
    await run.shows('Cancel this conference?');
    run.type('\r');
    await until(
      () => /Go on[\s\S]*dispatched/.test(run.screen().slice(run.screen().lastIndexOf('Cancel this'))),
      'the view after the question',
    );
    expect(readEvents(run.folder).some(({ event }) => event === 'dispatch.cancelled')).toBe(false);
    const before = run.screen().length;
    run.type(CTRL_C);
    await until(() => run.screen().slice(before).includes('Cancel this conference?'), 'the question again');
    run.type(`${DOWN}\r`);
    expect(await run.ended).toBe(130);
    expect(readEvents(run.folder).at(-1)?.event).toBe('cleanup.receipt');
    expect(temporaryRoots(run.place)).toEqual([]);
  });

  test('a second Ctrl-C at the question stops at once: nothing is cancelled, nothing recorded is lost, no child is left [CLI-06 AUTO-23]', async () => {
    const run = await confirmedAtTerminal(['A=hang']);
    run.type(`${run.digest.slice(0, 8)}\r`);
    await run.shows('received');
    run.type(CTRL_C);
    await run.shows('Cancel this conference?');
    run.type(CTRL_C);
    expect(await run.ended).toBe(1);
    expect(run.screen()).toContain('stopped at once');
    const names = readEvents(run.folder).map(({ event }) => event);
    expect(names).not.toContain('dispatch.cancelled');
    expect(names.filter((name) => name === 'dispatch.received')).toHaveLength(1);
    for (const lines of readNotes(run.notes).values())
      expect(isAlive(Number(noteOf(lines, 'pid')))).toBe(false);
    expect((await conference(['verify', join(run.place, 'out')], { cwd: run.place })).code).toBe(0);
  });
});
