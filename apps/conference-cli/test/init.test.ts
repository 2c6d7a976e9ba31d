/** Catches an `init` that writes over somebody's file, writes what `plan` then reads otherwise, or asks for what it was given. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGate, type Given } from '@x/conference-core';
import { expect, onTestFinished, test } from 'vitest';
import { readConferenceMd } from '../src/conference-md/read-conference-md.ts';
import { renderConferenceMd } from '../src/templates/render.ts';
import { conference, freshFolder, main } from './support/command.ts';

/** Flags as a command line has them; a list is a flag given more than once. */
function flags(values: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.entries(values).flatMap(([flag, texts]) =>
    [texts].flat().flatMap((text) => [`--${flag}`, text]),
  );
}

const COMPLETE = flags({
  goal: 'Halve the build time',
  mode: 'metric',
  metric: 'seconds',
  target: '< 60s',
  direction: 'minimize',
  lanes: '2',
  'iterations-per-round': '3',
  'max-rounds': '4',
  contrarian: 'no',
  allow: ['flags', 'caches'],
  forbid: 'none',
  'researcher-timeout': '5m',
});

/** What `plan --json` says of a folder's file. */
async function plan(cwd: string, folder: string) {
  const ran = await conference(['plan', join(folder, 'conference.md'), '--json'], { cwd });
  // The document of 07.
  const document = JSON.parse(ran.out) as {
    complete: boolean;
    findings?: { field: string; problem: string; found: string }[];
    plan?: Record<string, unknown>;
  };
  return { code: ran.code, ...document };
}

test('complete flags make a plan that is complete, with every value as it was given [CLI-03]', async () => {
  const cwd = freshFolder();
  const more = flags({
    'time-budget': '2h',
    'max-total-iterations': '20',
    'pause-every': 'every_2_rounds',
    order: 'guide',
    'plateau-window': '3',
    'noise-threshold': '1%',
    'stuck-level': '3',
    'early-quality': 'yes',
    'quality-score': '7',
    'early-quality-score': '10',
    'noise-runs': '3',
    'min-consensus-delta': '0.5',
    strategy: 'assigned',
    'poster-timeout': '1m',
    'reviewer-timeout': '2m',
    'synthesis-timeout': '3m',
    'cost-budget': '2.50',
    'write-root': 'w',
    criterion: 'clear',
    'forbid-action': 'push',
    'read-root': ['data', '/usr'],
    'forbid-read-root': 'data/private',
    guard: 'tests pass',
    focus: 'A=caching',
  });
  const ran = await conference(['init', 'new', ...COMPLETE, ...more, '--json'], { cwd });
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toEqual({ file: join(cwd, 'new/conference.md'), complete: true, findings: [] });
  const read = await plan(cwd, 'new');
  expect(read.code).toBe(0);
  expect(read.plan).toMatchObject({
    goal: 'Halve the build time',
    mode: 'metric',
    metric: { name: 'seconds', target: '< 60s', direction: 'minimize' },
    criteria: ['clear'],
    lanes: 2,
    iterations_per_round: 3,
    max_rounds: 4,
    contrarian: false,
    strategy: 'assigned',
    focus: [{ lane: 'A', text: 'caching' }],
    max_total_iterations: 20,
    time_budget_ms: 7_200_000,
    cost_budget: '2.50',
    allowed_actions: ['flags', 'caches'],
    forbidden_actions: ['push'],
    allowed_read_roots: [join(cwd, 'data'), '/usr'],
    forbidden_read_roots: [join(cwd, 'data/private')],
    write_root: join(cwd, 'w'),
    pause_every: 2,
    timeouts: { researcher_ms: 300_000, poster_ms: 60_000, reviewer_ms: 120_000, synthesis_ms: 180_000 },
    convergence: {
      order: 'guide',
      plateau_window: 3,
      noise_threshold: '1%',
      early_quality: true,
      stuck_level: 3,
      quality_score: 7,
      early_quality_score: 10,
    },
    guard: ['tests pass'],
    noise: { runs: 3, min_consensus_delta: '0.5' },
  });
});

test.each([
  ['# not a heading', 'a*b*c'],
  ['- not a bullet', 'x_y_z'],
  ['a | b <c> &lt; `d`', '[link](http://x)'],
  ['Find it.\n\n## Mode\n\nqualitative', 'p99 **bold**'],
  ['--- rule', 'key: value'],
  ['**bold** `a` ``b``', '`'],
  ['їжак 🙂 «так»', '1. first'],
])(
  'a text that Markdown would take for something else reads as it was given: %s [CLI-03]',
  (given, metric) => {
    const goal = given.replace(/\s+/g, ' ');
    const md = renderConferenceMd({
      values: { goal, metric, mode: 'metric' },
      lists: { allowed_actions: [goal, metric], guard: [metric] },
      focus: {},
    });
    const { input } = readConferenceMd(md, null);
    const texts = (found: readonly Given[] | undefined) => found?.map(({ text }) => text);
    expect(texts(input.values.goal)).toEqual([goal]);
    expect(texts(input.values.mode)).toEqual(['metric']);
    expect(texts(input.values.metric)).toEqual([metric]);
    expect(texts(input.lists.allowed_actions)).toEqual([goal, metric]);
    expect(texts(input.lists.guard)).toEqual([metric]);
  },
);

test('a value that cannot stand in the file as it was given is refused, and nothing is written [CLI-03]', async () => {
  const cwd = freshFolder();
  const ran = await conference(
    ['init', '--goal', 'x', '--mode', 'metric <!-- or not -->', '--template', 'quick', '--json'],
    { cwd },
  );
  expect(ran.code).toBe(2);
  expect(ran.out).toContain('VALUE_UNWRITABLE');
  expect(existsSync(join(cwd, 'conference.md'))).toBe(false);
});

test.each(['quick', 'metric', 'qualitative', 'debate', 'survey'])(
  'the template %s leaves open what only the user knows, and plan lists exactly that [CLI-03 CLI-04]',
  async (template) => {
    const cwd = freshFolder();
    expect((await conference(['init', '--template', template], { cwd })).code).toBe(0);
    const text = readFileSync(join(cwd, 'conference.md'), 'utf8');
    const open = text.match(/\{[^{}]+\}/g) ?? [];
    expect(open.length).toBeGreaterThan(0);
    const read = await plan(cwd, '.');
    expect([read.code, read.complete]).toEqual([3, false]);
    expect(read.findings?.map(({ problem }) => problem)).toEqual(open.map(() => 'missing'));
    // Filled in, nothing is missing any more.
    const filled = open.reduce(
      (done, placeholder) =>
        done.replace(
          placeholder,
          placeholder.startsWith('{a number')
            ? '>= 1'
            : placeholder.includes('maximize')
              ? 'maximize'
              : 'words',
        ),
      text,
    );
    expect(startGate(readConferenceMd(filled, cwd).input).complete).toBe(true);
  },
);

test('flags fill a template in, and some flags alone leave the rest open [CLI-03]', async () => {
  const cwd = freshFolder();
  const debate = ['init', 'a', '--template', 'debate', '--goal', 'Should we?', '--max-rounds', '1'];
  expect((await conference(debate, { cwd })).code).toBe(0);
  expect((await plan(cwd, 'a')).plan).toMatchObject({ goal: 'Should we?', max_rounds: 1, lanes: 3 });
  const some = await conference(['init', 'b', '--goal', 'Find it', '--lanes', '2'], { cwd });
  expect(some.code).toBe(0);
  expect(some.out).toContain('Researchers › Max rounds');
  expect((await plan(cwd, 'b')).code).toBe(3);
});

test('a file that is there is left alone, a link too, unless force says so; a begun conference always [CLI-03]', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'conference.md'), 'mine');
  const refused = await conference(['init', '--template', 'quick'], { cwd });
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.err).toContain('--force');
  expect(readFileSync(join(cwd, 'conference.md'), 'utf8')).toBe('mine');

  mkdirSync(join(cwd, 'linked'));
  symlinkSync(join(cwd, 'conference.md'), join(cwd, 'linked/conference.md'));
  expect((await conference(['init', 'linked', '--template', 'quick'], { cwd })).code).toBe(2);
  expect((await conference(['init', 'linked', '--template', 'quick', '--force'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'conference.md'), 'utf8')).toBe('mine');
  symlinkSync(join(cwd, 'nowhere'), join(cwd, 'dangling'));
  mkdirSync(join(cwd, 'other'));
  symlinkSync(join(cwd, 'nowhere'), join(cwd, 'other/conference.md'));
  expect((await conference(['init', 'other', '--template', 'quick'], { cwd })).code).toBe(2);
  expect(existsSync(join(cwd, 'nowhere'))).toBe(false);

  expect((await conference(['init', '--template', 'quick', '--force'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'conference.md'), 'utf8')).toContain('## Goal');
  writeFileSync(join(cwd, 'conference_events.jsonl'), '');
  const begun = await conference(['init', '--template', 'quick', '--force', '--json'], { cwd });
  expect([begun.code, JSON.parse(begun.out)]).toMatchObject([2, { error: { code: 'CONFERENCE_EXISTS' } }]);
});

test('eight at once write one file, whole, and leave nothing beside it [CLI-03]', async () => {
  const cwd = freshFolder();
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      conference(['init', 'one', '--template', 'debate', '--goal', `Goal ${index}`], { cwd }),
    ),
  );
  expect(
    all
      .map(({ code }) => String(code))
      .toSorted()
      .join(''),
  ).toBe('02222222');
  expect(readdirSync(join(cwd, 'one'))).toEqual(['conference.md']);
  const winner = all.findIndex(({ code }) => code === 0);
  expect((await plan(cwd, 'one')).plan).toMatchObject({ goal: `Goal ${winner}` });
});

test('without a terminal, a template or values it says what it needs and writes nothing [CLI-03]', async () => {
  const cwd = freshFolder();
  const ran = await conference(['init', 'new'], { cwd });
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toContain('--template');
  expect((await conference(['init', '--template', 'nosuch'], { cwd })).code).toBe(2);
  writeFileSync(join(cwd, 'file'), '');
  expect((await conference(['init', 'file/below', '--template', 'quick'], { cwd })).code).toBe(1);
  expect(readdirSync(cwd)).toEqual(['file']);
});

const python = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** Answers at a terminal of its own: waits for a word, then types. */
const TYPIST = `
import fcntl, json, os, pty, struct, sys, termios
steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
    os.execvp(command[0], command)
seen = b''
try:
    for word, typed in steps:
        while word.encode() not in seen:
            seen += os.read(fd, 65536)
        seen = b''
        os.write(fd, typed.encode())
    while True:
        if not os.read(fd, 65536):
            break
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

function type(cwd: string, steps: readonly (readonly [string, string])[], words: readonly string[]) {
  const child = spawn('python3', ['-c', TYPIST, JSON.stringify(steps), process.execPath, main, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm', LANG: 'C.UTF-8' },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise<number | null>((resolve) => child.once('close', resolve));
}

// The terminal is made by Python, which a machine need not have.
test.runIf(python)(
  'at a terminal it asks for what flags did not give, and takes no answer that plan would not [CLI-03]',
  async () => {
    const cwd = freshFolder();
    const steps = [
      ['How is success judged', '\r'],
      ['Which metric', 'ms\r'],
      ['Which target', 'fast\r'],
      ['accepted', '\b\b\b\b< 10 ms\r'],
      ['Which direction', '\u001b[B\r'],
      ['How many lanes', '1\r'],
      ['How many iterations', '\r'],
      ['How many rounds', '\r'],
      ['argue against', '\r'],
      ['What may the lanes', 'flags; caches\r'],
      ['leave alone', '\r'],
      ['How long may', '\r'],
    ] as const;
    expect(await type(cwd, steps, ['init', '--goal', 'Find it'])).toBe(0);
    expect((await plan(cwd, '.')).plan).toMatchObject({
      goal: 'Find it',
      metric: { name: 'ms', target: '< 10 ms', direction: 'minimize' },
      lanes: 1,
      iterations_per_round: 3,
      max_rounds: 4,
      contrarian: false,
      allowed_actions: ['flags', 'caches'],
      forbidden_actions: [],
    });
  },
);

test.runIf(python)('who leaves the questions leaves no file [CLI-03]', async () => {
  const cwd = freshFolder();
  expect(await type(cwd, [['find out', '\u0003']], ['init'])).toBe(130);
  expect(readdirSync(cwd)).toEqual([]);
});
