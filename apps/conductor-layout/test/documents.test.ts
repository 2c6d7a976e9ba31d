/** What the documents promise, held against the thing itself. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startFakeHerdr } from '../../../tooling/src/fake-herdr/fake-herdr.ts';
import { planTeamLayout } from '../src/plan/plan-team-layout.ts';
import { parseTeams } from '../src/teams-file/parse-teams.ts';
import { drawSvg } from '../src/views/svg-drawing.ts';
import { EXAMPLES, REPOSITORY, run } from './command.ts';

const APP = fileURLToPath(new URL('../', import.meta.url));
const README = readFileSync(join(APP, 'README.md'), 'utf8');
/** just as its package for Node starts it; a platform that it has no program for is told by HAS_JUST. */
const JUST = [process.execPath, fileURLToPath(import.meta.resolve('rust-just'))] as const;
const HAS_JUST = spawnSync(JUST[0], [JUST[1], '--version']).status === 0;

const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(REPOSITORY, 'package.json'), 'utf8'),
).scripts;

function sampleTeams(): ReturnType<typeof parseTeams> {
  return parseTeams(readFileSync(join(EXAMPLES, 'peers.yaml'), 'utf8'));
}

test('the README names the authority of the boundary and says that for Hermes and Codex it is advisory [COND-06]', () => {
  const boundary = README.slice(README.indexOf('## The boundary'), README.indexOf('## Inside'));
  expect(boundary).toContain('`.pi/damage-control-rules.yaml`');
  expect(boundary).toMatch(/Hermes and Codex\*\*: the contract is \*\*advisory\*\*/);
  expect(boundary).toMatch(/neither has an allow list of commands/);
});

test('the README keeps the inbound bridge apart from the outbound, approval-gated, serial Codex conductor', () => {
  const boundary = README.slice(README.indexOf('## The boundary'));
  expect(boundary).toContain('codex-remote-conductor.md');
  for (const word of ['outward', 'gated by approvals', 'one thing at a time', 'starts no work by itself']) {
    expect(boundary).toContain(word);
  }
});

test('the teams of the README are a teams file', () => {
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(README) ?? [];
  const teams = parseTeams(yaml);
  expect(teams.ok && [...teams.teams.keys()]).toEqual(['docs', 'solo']);
});

test('the picture of the README is what the command draws of the sample team today', () => {
  const teams = sampleTeams();
  if (!teams.ok) throw new Error('the sample has faults');
  const peers = teams.teams.get('feature') ?? [];
  const planned = planTeamLayout({
    team: 'feature',
    peers,
    checkout: '/repo/agent-fleet',
    project: 'default',
    conductor: true,
  });
  if (!planned.ok) throw new Error(planned.code);
  expect(readFileSync(join(EXAMPLES, 'feature.svg'), 'utf8')).toBe(drawSvg(planned.plan));
  expect(README).toContain('](examples/feature.svg)');
});

test('each file that the README links or names in this repository is there', () => {
  const links = [...README.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, path = '']) => join(APP, path));
  const named = [...README.matchAll(/`((?:src|test|bench|examples)\/[^`\s]*)`/g)].map(([, path = '']) =>
    join(APP, path),
  );
  const ours = [...README.matchAll(/\b((?:apps|tooling)\/[\w./-]+\w)/g)].map(([, path = '']) =>
    join(REPOSITORY, path),
  );
  for (const path of [...links, ...named, ...ours]) expect([path, existsSync(path)]).toEqual([path, true]);
  expect(links.length + named.length + ours.length).toBeGreaterThan(7);
});

test('each flag and verb of the examples in the README is accepted', async () => {
  const lines = [...README.matchAll(/^conductor-layout (.*?)(?: +#.*)?$/gm)].map(([, words = '']) =>
    words.split(' '),
  );
  expect(lines.length).toBe(3);
  for (const words of lines) {
    const { stderr } = await run([...words, '--peers', join(EXAMPLES, 'peers.yaml')], {
      cwd: REPOSITORY,
      env: { HERDR_SOCKET_PATH: '/nonexistent/herdr.sock' },
    });
    expect(stderr).toMatch(/^(dry run of |conductor-layout: no herdr at)/);
  }
});

test('just conductor-dry docs prints the layout as JSON alone and makes no herdr call [COND-03]', (context) => {
  if (!HAS_JUST) context.skip('just is not installed for this platform');
  const { status, stdout, stderr } = spawnSync(JUST[0], [JUST[1], 'conductor-dry', 'docs'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ label: expect.stringMatching(/-conductor-docs$/) });
  expect(stderr).toContain('nothing was opened');
});

test('just conductor docs opens the team in herdr, its words untouched by any shell [COND-02]', async (context) => {
  if (!HAS_JUST) context.skip('just is not installed for this platform');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conductor-just-')));
  const herdr = await startFakeHerdr({ socketPath: join(folder, 'herdr.sock') });
  const just = (...words: string[]): ReturnType<typeof run> =>
    run(words, { cwd: REPOSITORY, program: JUST, env: { HERDR_SOCKET_PATH: herdr.socketPath } });
  try {
    const { status, stdout } = await just('conductor', 'docs', '--project', 'acme');
    expect([status, stdout.split(':')[0]]).toEqual([
      0,
      expect.stringMatching(/^opened .*-conductor-docs--project\.acme$/),
    ]);
    const panes = herdr.workspaces[0]?.tabs.flatMap((tab) => tab.panes) ?? [];
    expect(panes.map(({ label }) => label)).toEqual(['conductor', 'writer', 'fact-checker', 'editor']);
    expect(panes[0]?.command).toEqual(['hermes', '-p', 'dev']);
    const hostile = await just('conductor', `$(touch ${join(folder, 'touched')})`);
    expect(hostile.status).not.toBe(0);
    expect(hostile.stderr).toContain('no team "$(touch');
    expect(existsSync(join(folder, 'touched'))).toBe(false);
  } finally {
    await herdr.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the package scripts are the same commands for machines without just [COND-02 COND-03]', () => {
  const justfile = readFileSync(join(REPOSITORY, 'justfile'), 'utf8');
  for (const name of ['conductor', 'conductor-dry']) {
    const command = SCRIPTS[name] ?? '';
    expect(justfile).toContain(`\n${name} team *flags:\n    @${command} "$@"\n`);
    const [, script = '', ...words] = command.split(' ');
    const { stdout, stderr } = spawnSync(process.execPath, [script, ...words, 'pair'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HERDR_SOCKET_PATH: '/nonexistent/herdr.sock' },
    });
    expect(name === 'conductor' ? stderr : stdout).toContain(
      name === 'conductor' ? 'no herdr at' : '"label"',
    );
  }
});
