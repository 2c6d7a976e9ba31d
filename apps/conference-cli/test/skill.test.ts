/**
 * Catches a contract that an agent cannot follow: one that names a verb which does not exist, or that leaves out one
 * which a whole conference needs.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conference, freshFolder, type Ran } from './support/command.ts';

const SKILL = join(import.meta.dirname, '../skills/autoconference');
const CHILD = join(import.meta.dirname, '../examples/stepwise/child.mjs');
const text = readFileSync(join(SKILL, 'SKILL.md'), 'utf8');
const guides = ['convergence-guide.md', 'crash-recovery.md'].map((name) =>
  readFileSync(join(SKILL, name), 'utf8'),
);

/** Verbs that a text has somebody type: in code, behind the command's name. */
function verbsOf(markdown: string): Set<string> {
  const code = [...markdown.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, span]) => block ?? span ?? '',
  );
  return new Set(
    code.flatMap((one) => [...one.matchAll(/\bconference ([a-z]+)/g)].map(([, verb = '']) => verb)),
  );
}

const VERBS = verbsOf(text);
/** The verbs of 07, as that document has them. */
const KNOWN =
  'init plan confirm run next dispatch submit expire decide cancel status watch recover verify report evaluate schema completion mcp'.split(
    ' ',
  );

test('the contract is autoconference, allows eight tools and no other, and has its two guides beside it [AUTO-01]', () => {
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  expect(front).toMatch(/^name: autoconference$/m);
  expect(front).toMatch(/^description: \|\n {2}\S/m);
  const [, tools = ''] = /^allowed-tools:\n((?: {2}- \w+\n?)+)$/m.exec(front) ?? [];
  expect(tools.match(/\w+/g)).toEqual([
    'Read',
    'Write',
    'Edit',
    'Bash',
    'Glob',
    'Grep',
    'WebFetch',
    'WebSearch',
  ]);
  expect(readdirSync(SKILL).toSorted()).toEqual(['SKILL.md', 'convergence-guide.md', 'crash-recovery.md']);
  for (const guide of ['convergence-guide.md', 'crash-recovery.md']) expect(text).toContain(`](${guide})`);
  expect(JSON.parse(readFileSync(join(SKILL, '../../package.json'), 'utf8'))).toMatchObject({
    files: expect.arrayContaining(['skills']) as unknown,
  });
});

test('each verb that the contract or a guide names exists, and the contract names all that a conference needs [AUTO-01]', async () => {
  const named = new Set([...VERBS, ...guides.flatMap((guide) => [...verbsOf(guide)])]);
  const { out } = await conference(['--help'], { cwd: SKILL });
  for (const verb of named) {
    expect(KNOWN).toContain(verb);
    expect(out).toMatch(new RegExp(`^ {2}${verb} `, 'm'));
  }
  expect([...VERBS]).toEqual(
    expect.arrayContaining(['plan', 'confirm', 'next', 'dispatch', 'submit', 'expire', 'decide', 'recover']),
  );
});

test('what a child may never do is said [AUTO-01]', () => {
  for (const word of [
    'delegation_allowed',
    'BLOCKED_MULTI_AGENT_UNAVAILABLE',
    'BLOCKED_WRITE_AUTHORITY_MISSING',
    'designated_section',
  ]) {
    expect(text).toContain(word);
  }
  for (const guide of guides) expect(guide).toContain('`delegation_allowed: false`');
});

interface Task {
  readonly dispatch_id: string;
  readonly role: string;
  readonly charter: object;
}
interface Action {
  readonly action: string;
  readonly decision_id?: string;
  readonly options?: readonly { readonly id: string }[];
  readonly outcome?: string;
  readonly target_met?: boolean;
}

/** A child by script: the one of the example. */
function delegateTask(charter: object): Promise<string> {
  const child = spawn(process.execPath, [CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stdin.end(JSON.stringify(charter));
  return new Promise((resolve) => child.once('close', () => resolve(out)));
}

test(
  'a root that knows nothing but the contract chairs a whole conference [AUTO-01 CLI-07 CLI-08 CLI-09 CLI-23]',
  { timeout: 180_000 },
  async () => {
    const cwd = freshFolder();
    /** Runs a verb, if the contract names it. */
    const root = async (verb: string, ...words: string[]): Promise<Ran> => {
      if (!VERBS.has(verb)) throw new Error(`the contract does not name conference ${verb}`);
      return conference([verb, ...words], { cwd });
    };
    const told = async <Document>(verb: string, ...words: string[]): Promise<Document> =>
      // Each document is that of 07.
      JSON.parse((await root(verb, ...words, '--json')).out) as Document;

    const flags = {
      goal: 'Find the start below 200 with the longest Collatz sequence.',
      metric: 'steps',
      target: '>= 124',
      direction: 'maximize',
      'iterations-per-round': '4',
      'max-rounds': '3',
      'pause-every': 'every_round',
      allow: 'any start',
      forbid: 'none',
    };
    const words = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
    expect((await root('init', 'c', '--template', 'quick', ...words)).code).toBe(0);
    const { plan_digest } = await told<{ plan_digest: string }>('plan', 'c/conference.md');
    expect((await root('confirm', 'c', '--plan-digest', plan_digest, '--write-to', 'c')).code).toBe(0);

    const seen = new Set<string>();
    let end: Action | null = null;
    for (let turn = 0; turn < 40 && end === null; turn += 1) {
      await told('expire', 'c');
      const { actions } = await told<{ actions: readonly Action[] }>('next', 'c');
      const [first] = actions;
      seen.add(first?.action ?? 'nothing');
      if (first?.action === 'delegate_task') {
        const sent = await told<{ actions: readonly Task[] }>('dispatch', 'c', '--slots', '2');
        if (turn === 0) {
          const again = await told<{ actions: readonly Task[] }>('dispatch', 'c', '--open');
          expect(again.actions).toEqual(sent.actions);
        }
        const packets = await Promise.all(sent.actions.map(({ charter }) => delegateTask(charter)));
        const lines = packets.map((packet, index) =>
          JSON.stringify({ dispatch_id: sent.actions[index]?.dispatch_id, packet }),
        );
        writeFileSync(join(cwd, 'batch'), lines.join('\n'));
        const submitted = await told<{ results: readonly { result: string; code?: string }[] }>(
          'submit',
          'c',
          '--batch',
          'batch',
        );
        for (const { result, code } of submitted.results) seen.add(code ?? result);
      } else if (first?.action === 'ask_user') {
        const option = first.options?.find(({ id }) => id === 'continue') ?? first.options?.[0];
        await told('decide', 'c', first.decision_id ?? '', option?.id ?? '');
      } else if (first?.action === 'done') end = first;
      else throw new Error(`nothing that the contract speaks of: ${JSON.stringify(first)}`);
    }
    expect(end).toMatchObject({ outcome: 'CONVERGED', target_met: true });
    expect([...seen].toSorted()).toEqual([
      'PACKET_EXTERNAL_ACTION',
      'ask_user',
      'delegate_task',
      'done',
      'received',
    ]);
    expect((await root('verify', 'c')).code).toBe(0);
    expect((await root('report', 'c')).out).toContain('CONVERGED');
    expect((await told<{ state: string }>('status', 'c')).state).toBe('COMPLETE');
  },
);
