import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXAMPLES, MAIN, REPOSITORY, run } from './command.ts';

const CANARY = 'canary-7f3a-never-to-be-seen';

let root = '';
let checkout = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'conductor-dry-')));
  checkout = join(root, 'main.wt2');
  mkdirSync(join(checkout, '.pi', 'agents'), { recursive: true });
  mkdirSync(join(checkout, 'deep', 'down'), { recursive: true });
  writeFileSync(join(checkout, '.env.docs'), `TOKEN=${CANARY}\n`);
  writeTeams(`docs:
  - { name: writer, persona: w, env_file: .env.docs }
  - { name: cc, runner: claude-code, model: opus }
solo: []
`);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function writeTeams(text: string): void {
  writeFileSync(join(checkout, '.pi', 'agents', 'peers.yaml'), text);
}

const dry = (words: readonly string[], env: Readonly<Record<string, string>> = {}): ReturnType<typeof run> =>
  run([...words, '--dry-run'], { cwd: checkout, env });

test('a dry run prints the layout as JSON alone, and one line about it on stderr [LAYO-05 LAYO-09 COND-03]', async () => {
  const { status, stdout, stderr } = await dry(['docs']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    label: 'wt2-conductor-docs',
    layout: {
      type: 'split',
      direction: 'right',
      ratio: 0.35,
      first: { type: 'pane', command: ['hermes', '-p', 'dev'], cwd: checkout, label: 'conductor' },
      second: {
        type: 'split',
        direction: 'down',
        ratio: 0.5,
        first: {
          type: 'pane',
          command: ['just', '_peer', 'w', 'writer'],
          cwd: checkout,
          label: 'writer',
          env: { '<env_file>': '.env.docs' },
        },
        second: { type: 'pane', command: ['just', '_claude-peer', 'cc', 'opus'], cwd: checkout, label: 'cc' },
      },
    },
  });
  expect(stderr).toBe(
    'dry run of wt2-conductor-docs: 3 panes, the conductor and 2 peers; nothing was opened; 1 env file not read\n',
  );
});

test('a dry run opens no socket and no env file, without HOME, by the calls that it makes [LAYO-09 COND-03]', async (context) => {
  const probe = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  if (probe.status !== 0) context.skip('strace is not here or may not trace');
  for (const format of ['json', 'tree', 'svg']) {
    const log = join(root, `strace-${format}`);
    const program = [
      'strace',
      '-f',
      '-e',
      'trace=%network,open,openat',
      '-o',
      log,
      process.execPath,
      MAIN,
    ] as const;
    const { status } = await run(['docs', '--dry-run', '--format', format], {
      cwd: checkout,
      env: { HERDR_SOCKET_PATH: join(root, 'herdr.sock') },
      program,
    });
    expect(status).toBe(0);
    const calls = readFileSync(log, 'utf8');
    expect(calls).toContain('peers.yaml');
    expect(calls).not.toMatch(/\b(socket|connect|bind|listen|sendto|sendmsg)\(/);
    expect(calls).not.toContain('.env.docs');
    expect(calls).not.toContain('herdr');
  }
});

test('no value of an env file is in any output, of a plan or of an error [LAYO-09]', async () => {
  const runs = [
    dry(['docs']),
    dry(['docs', '--format', 'tree']),
    dry(['docs', '--format', 'svg']),
    dry(['nobody']),
    run(['docs'], { cwd: checkout, env: { HERDR_SOCKET_PATH: join(root, 'none.sock') } }),
  ];
  for (const { stdout, stderr } of await Promise.all(runs)) {
    expect(`${stdout}${stderr}`).not.toContain(CANARY);
    expect(`${stdout}${stderr}`).not.toBe('');
  }
});

test('an env file given as the teams file by mistake is not printed [LAYO-09]', async () => {
  const { status, stdout, stderr } = await run(['docs', '--dry-run', '--peers', '.env.docs'], {
    cwd: checkout,
  });
  expect(status).toBe(2);
  expect(`${stdout}${stderr}`).not.toContain(CANARY);
});

test('the same team gives the same bytes in each format, whatever locale and time zone [LAYO-05 LAYO-10]', async () => {
  for (const format of ['json', 'tree', 'svg']) {
    const words = ['docs', '--format', format];
    const [one, two] = await Promise.all([
      dry(words, { LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' }),
      dry(words, { LC_ALL: 'C', TZ: 'UTC', HOME: root }),
    ]);
    expect(one.stdout).toBe(two.stdout);
    expect(one.stdout).not.toBe('');
  }
});

test('variables that libraries know by themselves put nothing on stdout [LAYO-09]', async () => {
  const { stdout } = await dry(['docs'], {
    LOG_TOKENS: '1',
    LOG_STREAM: '1',
    NODE_DEBUG: '',
    FORCE_COLOR: '1',
  });
  expect(JSON.parse(stdout)).toHaveProperty('label');
});

test('the teams file is found from a folder below, and the checkout with it [LAYO-01]', async () => {
  const { stdout } = await run(['solo', '--dry-run'], { cwd: join(checkout, 'deep', 'down') });
  expect(JSON.parse(stdout)).toMatchObject({ label: 'wt2-conductor-solo', layout: { cwd: checkout } });
});

test('a teams file above the checkout is used, and the checkout stays the nearest with a .git [LAYO-01 COND-04]', async () => {
  const inner = join(checkout, 'inner.wt9');
  mkdirSync(join(inner, '.git'), { recursive: true });
  const { stdout } = await run(['solo', '--dry-run'], { cwd: inner });
  expect(JSON.parse(stdout)).toMatchObject({ label: 'wt9-conductor-solo', layout: { cwd: inner } });
});

test('--peers names another file, and the checkout is still where one stands [LAYO-01]', async () => {
  writeFileSync(join(root, 'other.yaml'), 'others:\n  - { name: a, persona: p }\n');
  const { stdout } = await run(['others', '--dry-run', '--peers', '../../other.yaml'], {
    cwd: join(checkout, 'deep'),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    label: 'wt2-conductor-others',
    layout: { second: { cwd: checkout } },
  });
});

test('no teams file anywhere says where one is looked for [LAYO-01]', async () => {
  const { status, stderr, stdout } = await run(['docs', '--dry-run'], { cwd: root });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('no .pi/agents/peers.yaml here or in any folder above');
  expect(stderr).toContain('--peers');
});

test('an unknown team lists the teams there are, and names the one meant [LAYO-02]', async () => {
  const { status, stdout, stderr } = await dry(['dosc']);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    'conductor-layout: no team "dosc", did you mean docs?\n' +
      'conductor-layout: the teams of .pi/agents/peers.yaml: docs, solo\n',
  );
  expect((await run([], { cwd: checkout })).stderr).toContain('which team?');
});

test('every fault of a teams file is told in one run, as file:line:column, and nothing is printed [LAYO-02]', async () => {
  writeTeams('docs:\n  - nmae: a b\n    persona: "$(id)"\nweb: 7\n');
  const { status, stdout, stderr } = await dry(['docs']);
  expect([status, stdout]).toEqual([2, '']);
  expect(
    stderr
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replace(/^conductor-layout: /, '').slice(0, 40)),
  ).toEqual([
    '.pi/agents/peers.yaml:2:5: a peer has no',
    '.pi/agents/peers.yaml:3:14: persona "$(i',
    '.pi/agents/peers.yaml:4:6: team "web" is',
  ]);
  expect(stderr).toContain('did you mean name?');
});

test('faults without number are counted, not printed without end [LAYO-02]', async () => {
  writeTeams(`docs:\n${'  - x\n'.repeat(20_000)}`);
  const { status, stderr } = await dry(['docs']);
  expect(status).toBe(2);
  expect(stderr.split('\n').length).toBeLessThan(60);
  expect(stderr).toMatch(/and 199\d\d more\n$/);
});

test('a FIFO, a folder, a file of 100 MB and one that is not UTF-8 are refused, and none is waited for [LAYO-01]', async () => {
  execFileSync('mkfifo', [join(root, 'fifo')]);
  writeFileSync(join(root, 'large'), '');
  truncateSync(join(root, 'large'), 100 * 1024 * 1024);
  writeFileSync(join(root, 'latin1'), Buffer.from([0x64, 0xe9, 0x3a, 0x0a]));
  const problems = await Promise.all(
    ['fifo', '.', 'large', 'latin1', 'absent'].map(async (name) => {
      const { status, stderr } = await dry(['docs', '--peers', join(root, name)]);
      expect(status).toBe(2);
      return stderr.trim().replace(/^conductor-layout: \S+ /, '');
    }),
  );
  expect(problems).toEqual([
    'is not a regular file',
    'is not a regular file',
    'is larger than 262144 bytes',
    'is not UTF-8 text',
    'does not exist',
  ]);
});

test('--no-conductor lays out the peers alone, --project goes to the end of each command and into the label [LAYO-04 LAYO-08]', async () => {
  const { stdout } = await dry(['docs', '--no-conductor', '--project', 'acme.prod']);
  expect(JSON.parse(stdout)).toMatchObject({
    label: 'wt2-peers-docs--project.acme.prod',
    layout: {
      direction: 'right',
      first: { command: ['just', '_peer', 'w', 'writer', '', '', 'acme.prod'] },
      second: { command: ['just', '_claude-peer', 'cc', 'opus', '', 'acme.prod'] },
    },
  });
  const solo = await dry(['solo', '--no-conductor']);
  expect(solo.status).toBe(2);
  expect(solo.stderr).toContain('no peers');
});

test.each([
  [['docs', '--dry-run', '--project', '$(id)'], 'project "$(id)"'],
  [['docs', '--dry-run', '--project', ''], 'project ""'],
  [['docs', '--format', 'tree'], 'add --dry-run'],
  [['docs', '--dry-run', '--width', '40'], '--width is for'],
  [['docs', '--dry-run', '--format', 'tree', '--width', '7'], 'not a whole number from 8 to 500'],
  [['docs', '--dry-run', '--format', 'png'], 'json|tree|svg'],
  [['docs', '--dry-runn'], 'no flag --dry-runn'],
  [['docs', '--dryrun'], 'did you mean --dry-run?'],
  [['docs', 'web', '--dry-run'], 'Too many arguments'],
])('%j is bad usage: exit 2, told what, and herdr is not touched [LAYO-09]', async (words, hint) => {
  const { status, stdout, stderr } = await run(words, {
    cwd: checkout,
    env: { HERDR_SOCKET_PATH: join(root, 'x') },
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain('no herdr');
});

test('the tree is as wide as COLUMNS or --width say, 80 otherwise [LAYO-10]', async () => {
  const widest = async (words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> => {
    const { stdout } = await dry(['docs', '--format', 'tree', ...words], env);
    return Math.max(...stdout.split('\n').map((line) => [...line].length));
  };
  expect(await widest([], {})).toBe(80);
  expect(await widest([], { COLUMNS: '50' })).toBe(50);
  expect(await widest(['--width', '60'], { COLUMNS: '50' })).toBe(60);
  expect(await widest([], { COLUMNS: 'x' })).toBe(80);
});

test('a reader that stops reading ends the command quietly', () => {
  const script = `"$0" "$1" docs --dry-run 2>/dev/null | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout } = spawnSync('bash', ['-c', script, process.execPath, MAIN], {
    cwd: checkout,
    encoding: 'utf8',
  });
  expect(stdout).toBe('0\n');
});

test('a plan that could not be written is no success', (context) => {
  if (!existsSync('/dev/full')) context.skip('there is no /dev/full here');
  const script = '"$0" "$1" docs --dry-run >/dev/full';
  const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, MAIN], {
    cwd: checkout,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('stdout failed (ENOSPC)');
});

test('a current folder that was removed is told as such, not as a stack', () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" docs --dry-run';
  const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, MAIN], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    2,
    'conductor-layout: the current folder is gone: change to one that exists\n',
  ]);
});

test.each([
  ['brackets', (n: number) => `docs: ${'['.repeat(n)}`],
  ['dashes', (n: number) => `docs:\n  ${'- '.repeat(n)}`],
  ['pairs in brackets', (n: number) => `docs: ${'[a: '.repeat(n)}`],
  ['questions', (n: number) => '? '.repeat(n)],
])('the built command refuses 50,000 levels of %s, and does not crash [LAYO-01]', async (_, text) => {
  writeTeams(text(50_000));
  const { status, stderr } = await dry(['docs']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/peers\.yaml:\d+:\d+: nests deeper than 64 levels/);
});

test('--help says what a manual page would: usage, examples, files, exit codes', async () => {
  const { status, stdout } = await run(['--help'], { cwd: root });
  expect(status).toBe(0);
  for (const part of [
    'USAGE',
    'EXAMPLES',
    'EXIT STATUS',
    'HERDR_SOCKET_PATH',
    '--no-conductor',
    '.pi/agents/peers.yaml',
  ]) {
    expect(stdout).toContain(part);
  }
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(132);
  expect((await run(['--version'], { cwd: root })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('completion proposes the teams of the file that the line names, and its script is accepted by the shell', async () => {
  const proposals = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await run(['completion', 'propose', '--', ...words], { cwd: checkout });
    return stdout.split('\n').filter(Boolean);
  };
  expect(await proposals('')).toEqual(expect.arrayContaining(['docs', 'solo', '--dry-run', 'completion']));
  expect(await proposals('do')).toEqual(['docs']);
  expect(await proposals('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(await proposals('docs', '--', '')).toEqual([]);
  expect(await proposals('docs', '--dry-run', '--format', '')).toEqual(['json', 'tree', 'svg']);
  expect(await proposals('--peers', join(EXAMPLES, 'peers.yaml'), 're')).toEqual(['research']);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await run(['completion', shell], { cwd: root });
    expect(status).toBe(0);
    const script = join(root, `completion.${shell}`);
    writeFileSync(script, stdout);
    const check = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
    // A shell that is not on this machine is not asked.
    if (check.error === undefined) expect(check.stderr).toBe('');
  }
  expect((await run(['completion', 'tcsh'], { cwd: root })).status).toBe(2);
});

test('the sample teams file has five teams, all of which can be planned from the root of this repository [LAYO-01]', async () => {
  const teams = ['docs', 'feature', 'research', 'pair', 'solo'];
  const peers = ['--peers', join(EXAMPLES, 'peers.yaml')];
  for (const team of teams) {
    const { status } = await run([team, '--dry-run', ...peers], { cwd: REPOSITORY });
    expect(status).toBe(0);
  }
  expect((await run(['none', '--dry-run', ...peers], { cwd: REPOSITORY })).stderr).toContain(
    teams.join(', '),
  );
});
