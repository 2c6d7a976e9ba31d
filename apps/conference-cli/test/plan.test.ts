/**
 * The bugs these exist to catch: a gate that guesses, a digest that depends on where the file lies, and a secret that
 * children would be shown. Boundary: reading only; writing conference.md back is tested elsewhere.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conference, freshFolder } from './support/command.ts';
import { conferenceMd, writeConferenceMd } from './support/conference-md.ts';

const FULL = process.env['FULL'] === '1';

interface Finding {
  readonly field: string;
  readonly problem: string;
  readonly found: string;
  readonly accepted: string;
  readonly places: readonly string[];
}
interface Planned {
  readonly complete: boolean;
  readonly plan_digest?: string;
  readonly total_iterations?: number;
  readonly findings?: readonly Finding[];
  readonly conditions?: readonly { readonly label: string; readonly value: string }[];
  readonly plan?: Readonly<Record<string, unknown>>;
}

async function planOf(markdown: string | Uint8Array): Promise<{ code: number | null; document: Planned }> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'conference.md'), markdown);
  const { code, out, err } = await conference(['plan', '--json'], { cwd });
  expect(err).toBe('');
  return { code, document: JSON.parse(out) as Planned };
}

function findingFor(document: Planned, word: string): Finding | undefined {
  return document.findings?.find(({ field }) => field.toLowerCase().includes(word));
}

test('a complete file gives conditions, the computed budget and a digest that does not depend on folder, zone or locale [CLI-04 AUTO-10 CONF-34]', async () => {
  const one = freshFolder();
  writeConferenceMd(one, {});
  const other = join(freshFolder(), 'elsewhere');
  mkdirSync(other);
  writeConferenceMd(other, {});
  const here = await conference(['plan', '--json'], { cwd: one });
  const there = await conference(['plan', 'elsewhere/conference.md', '--json'], {
    cwd: join(other, '..'),
    env: { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' },
  });
  expect([here.code, there.code, here.err, there.out]).toEqual([0, 0, '', here.out]);
  const document = JSON.parse(here.out) as Planned;
  expect(document).toMatchObject({ complete: true, total_iterations: 12 });
  expect(document.plan_digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  const shown = new Map(document.conditions?.map(({ label, value }) => [label, value]));
  expect(shown.get('Total budget')).toBe('2 × 2 × 3 = 12 iterations, at most 12');
  // Defaults are conditions too: a person confirms them.
  expect(shown.get('Pause')).toBe('never');
  expect(shown.get('Timeouts')).toBe('researcher 30s, poster 30s, reviewer 30s, synthesis 30s');
  expect(shown.get('Convergence')).toContain('order core, plateau window 2, noise threshold default');
  expect(shown.get('Limits')).toContain('packet 65536 bytes');
  const words = await conference(['plan'], { cwd: one });
  expect(words.out).toContain('2 × 2 × 3 = 12 iterations');
  expect(words.out).toContain(`Plan digest ${document.plan_digest ?? ''}`);
  expect(readdirSync(one)).toEqual(['conference.md']);
});

test('one changed letter in a condition gives another digest, prose outside the plan gives the same [AUTO-11]', async () => {
  const digests = await Promise.all(
    [
      conferenceMd(),
      conferenceMd({ target: '>= 61' }),
      conferenceMd({ more: '\nSetting 2 gives 41.\n' }),
      conferenceMd({ more: '\n## Diary\n\nNobody reads this.\n' }),
    ].map(async (markdown) => (await planOf(markdown)).document.plan_digest),
  );
  expect(digests[1]).not.toBe(digests[0]);
  expect(digests[2]).not.toBe(digests[0]);
  expect(digests[3]).toBe(digests[0]);
});

test('a template that nobody filled in lists what is missing, all of it and nothing else, with exit 3 [AUTO-12 CLI-04 LEDG-20 CLI-02]', async () => {
  const { code, document } = await planOf(`# {Title}

## Goal

_Describe what to find out_

## Mode

{metric|qualitative}

## Success Metric

- **Metric:** {name}
- **Target:** <!-- such as > 95% -->
- **Direction:** maximize

## Researchers

- **Count:** {N}
- **Iterations per round:** TBD
- **Max rounds:** ask user before run
`);
  expect(code).toBe(3);
  expect(document.complete).toBe(false);
  expect(document.plan_digest).toBeUndefined();
  const fields = document.findings?.map(({ field }) => field.toLowerCase()) ?? [];
  for (const word of [
    'goal',
    'mode',
    'count',
    'iterations per round',
    'max rounds',
    'critic',
    'allowed',
    'forbidden',
    'timeout',
  ])
    expect(
      fields.some((field) => field.includes(word)),
      word,
    ).toBe(true);
  for (const finding of document.findings ?? []) {
    expect(finding.accepted, finding.field).not.toBe('');
    expect(['missing', 'vague']).toContain(finding.problem);
  }
  expect(findingFor(document, 'iterations per round')).toMatchObject({ found: 'TBD' });
  expect(findingFor(document, 'direction')).toBeUndefined();
});

const NO_NUMBERS = [
  '0',
  '-1',
  'NaN',
  'Infinity',
  '1e999',
  '3.5',
  '4 (round 1-2), 3 (round 3)',
  '{N}',
  'TBD',
  'ask user before run',
  '٣',
];

// Each is a process: a few by default, all of them in full. The unit tests of the gate have every one.
test.each(FULL ? NO_NUMBERS : ['0', '1e999', '4 (round 1-2), 3 (round 3)', 'TBD'])(
  '%s as a number of rounds is asked for again, never guessed, and nothing else is asked [CONF-11 LEDG-20 AUTO-12]',
  async (cell) => {
    const markdown = conferenceMd().replace('**Max rounds:** 3', () => `**Max rounds:** ${cell}`);
    const { code, document } = await planOf(markdown);
    expect(code).toBe(3);
    expect(document.findings).toMatchObject([
      { field: expect.stringContaining('Max rounds') as string, found: cell },
    ]);
  },
);

test('what only looks different is read the same: BOM, CRLF, comments, case of keys, backticks [LEDG-17 LEDG-18]', async () => {
  const plain = await planOf(conferenceMd());
  const messy = conferenceMd()
    .replace('- **Count:** 2', '- **COUNT:** 2 <!-- lanes -->')
    .replace('**Iterations per round:** 2', '**iterations PER round:** `2`')
    .replace('## Researchers', '## RESEARCHERS')
    .replace('**Metric:** score', '**Metric**: score');
  for (const text of [messy, `\uFEFF${messy}`, messy.replaceAll('\n', '\r\n')]) {
    const { code, document } = await planOf(text);
    expect(document.findings ?? []).toEqual([]);
    expect(code).toBe(0);
    expect({ ...document.plan, context: [] }).toEqual({ ...plain.document.plan, context: [] });
  }
});

test('every key that the format has ends up in the plan [LEDG-17 LEDG-18 LEDG-19]', async () => {
  const { code, document } = await planOf(`## Goal
Make the parser faster.
## Mode
metric
## Success Metric
- **Metric:** p99
- **Target:** < 50ms
- **Direction:** minimize
## Researchers
- **Count:** 3
- **Iterations per round:** 4
- **Max rounds:** 5
## Pre-Flight Gate
- **Goal:** Make the parser faster.
- **Max rounds:** 5
- **Critic / Devil's Advocate:** yes
- **Final confirmation:** yes
## Search Space
- **Allowed changes:** flags; buffers
- **Forbidden changes:** the grammar
## Search Space Partitioning
- **Strategy:** assigned
### Researcher A Focus
Buffers.
### Researcher C Focus
The opposite.
## Guard
- Output stays the same.
## Noise Handling
- **Noise runs:** 3
- **Min consensus delta:** 0.5
## Constraints
- **Max total iterations:** 48
- **Time budget:** 2h
- **Researcher timeout:** 30m
- **Poster timeout:** 90s
- **pause_every:** every_2_rounds
- **Allowed read roots:** src; /usr/share/dict
- **Forbidden read roots:** src/secret
- **Write root:** results
- **Forbidden actions:** network
## Convergence
- **Order:** guide
- **Plateau window:** 3
- **Noise threshold:** 1%
- **Early quality:** true
- **Stuck level:** 3
- **Quality score:** 7
- **Early quality score:** 10
## Current Approach
One pass.
## Shared Knowledge
None yet.
## Context & References
See the manual.

---

## Conference Log

| Round | Researcher | Best Metric | Key Finding | Status |
| ----- | ---------- | ----------- | ----------- | ------ |
`);
  expect(document.findings ?? []).toEqual([]);
  expect(code).toBe(0);
  expect(document.plan).toMatchObject({
    goal: 'Make the parser faster.',
    metric: { name: 'p99', target: '< 50ms', direction: 'minimize' },
    lanes: 3,
    contrarian: true,
    strategy: 'assigned',
    focus: [
      { lane: 'A', text: 'Buffers.' },
      { lane: 'C', text: 'The opposite.' },
    ],
    max_total_iterations: 48,
    time_budget_ms: 7_200_000,
    allowed_actions: ['flags', 'buffers'],
    forbidden_actions: ['the grammar', 'network'],
    pause_every: 2,
    timeouts: { researcher_ms: 1_800_000, poster_ms: 90_000, reviewer_ms: 1_800_000 },
    convergence: {
      order: 'guide',
      plateau_window: 3,
      noise_threshold: '1%',
      early_quality: true,
      stuck_level: 3,
      quality_score: 7,
      early_quality_score: 10,
    },
    guard: ['Output stays the same.'],
    noise: { runs: 3, min_consensus_delta: '0.5' },
  });
  const plan = document.plan as {
    allowed_read_roots: string[];
    write_root: string;
    context: { source: string }[];
  };
  expect(plan.allowed_read_roots.every((root) => root.startsWith('/'))).toBe(true);
  expect(plan.write_root).toMatch(/^\/.*\/results$/);
  expect(plan.context.map(({ source }) => source)).toEqual([
    'Current Approach',
    'Shared Knowledge',
    'Context & References',
  ]);
});

test.each([
  ['> 95%', 0],
  ['>= 80', 0],
  ['< 50ms', 0],
  ['> 8/10', 0],
  ['95', 0],
  ['about 95', 3],
  ['>> 95', 3],
])('the target %s gives exit %i [LEDG-19]', async (target, expected) => {
  expect((await planOf(conferenceMd({ target }))).code).toBe(expected);
});

test('a value given twice and differently is vague, both places named; twice and alike is one [LEDG-20]', async () => {
  const twice = (rounds: string): string =>
    conferenceMd().replace('- **Critic', `- **Max rounds:** ${rounds}\n- **Critic`);
  expect((await planOf(twice('3'))).code).toBe(0);
  const { code, document } = await planOf(twice('4'));
  expect(code).toBe(3);
  expect(document.findings).toHaveLength(1);
  const [finding] = document.findings ?? [];
  expect(finding?.problem).toBe('vague');
  expect(finding?.places).toHaveLength(2);
  for (const place of finding?.places ?? []) expect(place).toMatch(/^line \d+$/);
});

test('the file never confirms: with "Final confirmation: yes" a run still asks, and starts nothing [CONF-34 AUTO-11]', async () => {
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, 'conference.md'),
    conferenceMd().replace('- **Critic', '- **Final confirmation:** yes\n- **Critic'),
  );
  const ran = await conference(['run', '--host', 'exec:true', '--write-to', 'out'], { cwd });
  expect(ran.code).toBe(3);
  expect(ran.err).toContain('--confirm sha256:');
  expect(readdirSync(cwd)).toEqual(['conference.md']);
});

test('a cost budget is refused where the host reports no cost, before anything is written [CONF-34]', async () => {
  const cwd = freshFolder();
  writeConferenceMd(cwd, { constraints: ['**Cost budget:** 2.50'] });
  const { out } = await conference(['plan', '--json'], { cwd });
  const digest = (JSON.parse(out) as Planned).plan_digest ?? '';
  const ran = await conference(['run', '--host', 'exec:true', '--confirm', digest], { cwd });
  expect([2, 3]).toContain(ran.code);
  expect(ran.err).toMatch(/cost/i);
  expect(readdirSync(cwd)).toEqual(['conference.md']);
});

test('a secret in the text of the user is refused with its line and rule, never with the secret', async () => {
  const cwd = freshFolder();
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  writeConferenceMd(cwd, { more: `\nUse ${token} for the runs.\n` });
  for (const args of [
    ['plan'],
    ['plan', '--json'],
    ['run', '--host', 'exec:true', '--confirm', 'sha256:0'],
  ]) {
    const ran = await conference(args, { cwd });
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/line \d+ holds a secret/);
    expect(ran.out + ran.err).not.toContain(token);
  }
});

test('a file that cannot be read is bad input, and says which and why [CLI-02]', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'folder.md'));
  writeFileSync(join(cwd, 'latin.md'), Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
  writeFileSync(join(cwd, 'huge.md'), 'x'.repeat(1_048_577));
  for (const [file, why] of [
    ['missing.md', 'ENOENT'],
    ['folder.md', 'not a file'],
    ['latin.md', 'UTF-8'],
    ['huge.md', '1048577 bytes'],
  ] as const) {
    const ran = await conference(['plan', file, '--json'], { cwd });
    expect(ran.code, file).toBe(2);
    expect(ran.err).toContain(file);
    expect(ran.err).toContain(why);
    expect(JSON.parse(ran.out)).toMatchObject({
      error: { message: expect.stringContaining(file) as string },
    });
  }
});
