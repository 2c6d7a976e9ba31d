/**
 * The bugs these exist to catch: the command judging otherwise than the rules it documents, an array out of order, and
 * bad input that is guessed at or named by the wrong path.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conference, freshFolder } from './support/command.ts';

interface Answer {
  readonly outcome: string;
  readonly winner: string | null;
  readonly target_met: boolean;
  readonly rules: readonly { readonly rule: string; readonly held: boolean; readonly detail: string }[];
  readonly round_bests: readonly (string | null)[];
}

interface Vector {
  readonly in: Readonly<Record<string, unknown>>;
  readonly out: Omit<Answer, 'rules' | 'round_bests'> & {
    readonly held: Readonly<Record<string, boolean>>;
    readonly round_bests?: Answer['round_bests'];
  };
}

const vectors = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../packages/conference-core/src/convergence/vectors/convergence.json'),
    'utf8',
  ),
) as readonly Vector[]; // their shape is checked where they are kept

const RULES = [
  'cancelled',
  'hard_budget',
  'no_valid_packet',
  'target_reached',
  'plateau',
  'quality',
  'early_quality',
  'sub_threshold',
  'all_stalled',
];

async function evaluate(document: unknown, args: readonly string[] = ['-']) {
  return conference(['evaluate', ...args], { cwd: freshFolder(), input: JSON.stringify(document) });
}

function example(): {
  config: Record<string, unknown>;
  rounds: { round: unknown; lanes: Record<string, unknown>[] }[];
} {
  const lanes = (value: string) => [
    {
      lane: 'A',
      status: 'received',
      stuck_level: 0,
      measurements: [{ name: 'acc', value, verdict: 'validated' }],
    },
  ];
  return {
    config: {
      mode: 'metric',
      metric: { name: 'acc', target: '>= 95%', direction: 'maximize' },
      order: 'core',
      max_rounds: 5,
      max_total_iterations: 60,
    },
    rounds: [
      { round: 1, iterations_spent: 4, elapsed_ms: 1_000, lanes: lanes('91%') },
      { round: 2, iterations_spent: 8, elapsed_ms: 2_000, lanes: lanes('92%') },
    ] as never, // the full shape is the command's to check
  };
}

test('all vectors as one array on stdin: an answer each, in order, each as expected [CLI-14 CLI-15 CLI-16]', async () => {
  expect(vectors).toHaveLength(160);
  const ran = await evaluate(vectors.map((vector) => vector.in));
  expect([ran.code, ran.err]).toEqual([0, '']);
  const answers = JSON.parse(ran.out) as Answer[];
  expect(answers).toHaveLength(vectors.length);
  for (const [at, { out }] of vectors.entries()) {
    const { rules, round_bests, ...rest } = answers[at] ?? ({} as Answer); // an absent answer equals no vector
    const held = rules.map((each) => [each.rule, each.held]);
    const { held: expected, round_bests: bests = round_bests, ...others } = out;
    expect({ ...rest, held, round_bests }, `vector ${at}`).toEqual({
      ...others,
      held: Object.entries(expected),
      round_bests: bests,
    });
    for (const { rule } of rules) expect(RULES).toContain(rule);
  }
});

test('one document gives one answer, from a file as from stdin, with and without --json the same value [CLI-14 CLI-01]', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'rounds.json'), JSON.stringify(example()));
  const plain = await conference(['evaluate', 'rounds.json'], { cwd });
  const json = await conference(['evaluate', 'rounds.json', '--json'], { cwd });
  const piped = await evaluate(example());
  expect([plain.code, json.code, piped.code]).toEqual([0, 0, 0]);
  expect(json.out.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(plain.out)).toEqual(JSON.parse(json.out));
  expect(piped.out).toBe(plain.out);
  expect(JSON.parse(plain.out)).toMatchObject({ outcome: 'CONTINUE', winner: null, target_met: false });
});

test('a measurement under another name than the metric is ignored [CLI-16]', async () => {
  const document = example();
  set(document.rounds[1]?.lanes[0], 'measurements', [{ name: 'other', value: '99%', verdict: 'validated' }]);
  const { out } = await evaluate(document);
  expect(JSON.parse(out)).toMatchObject({
    outcome: 'CONTINUE',
    target_met: false,
    round_bests: ['91', null],
  });
});

describe('bad input exits 2 and names the path', () => {
  const spoiled: [string, (document: ReturnType<typeof example>) => unknown, string][] = [
    [
      'a status that is none',
      (document) => {
        set(document.rounds[1]?.lanes[0], 'status', 'late');
        return document;
      },
      '$.rounds[1].lanes[0].status',
    ],
    [
      'a mode that is none',
      (document) => {
        document.config['mode'] = 'vibes';
        return document;
      },
      '$.config.mode',
    ],
    ['no rounds', ({ config }) => ({ config }), '$.rounds'],
    [
      'a round that is text',
      (document) => {
        set(document.rounds[0], 'round', 'one');
        return document;
      },
      '$.rounds[0].round',
    ],
    [
      'an unknown key',
      (document) => {
        document.config['plateau'] = 2;
        return document;
      },
      '$.config',
    ],
    [
      'inside an array',
      (document) => {
        document.config['order'] = 'mine';
        return [example(), document];
      },
      '$[1].config.order',
    ],
    ['null', () => null, '$'],
  ];
  test.each(spoiled)('%s [CLI-16 CLI-02]', async (_, spoil, path) => {
    const { code, out, err } = await evaluate(spoil(example()), ['-', '--json']);
    expect(code).toBe(2);
    expect(err).toContain(path);
    expect(err).toContain('accepted');
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.stringContaining(path) as string } });
  });

  test('what is no JSON at all, and a file that is not there [CLI-16 CLI-02]', async () => {
    const cwd = freshFolder();
    const garbage = await conference(['evaluate', '-'], { cwd, input: '{"config":' });
    const missing = await conference(['evaluate', 'nowhere.json'], { cwd });
    expect([garbage.code, missing.code]).toEqual([2, 2]);
    expect(garbage.err).toContain('not JSON');
    expect(missing.err).toContain('nowhere.json');
  });
});

function set(of: object | undefined, key: string, value: unknown): void {
  if (of === undefined) throw new Error(`nothing to set ${key} on`);
  Object.assign(of, { [key]: value });
}
