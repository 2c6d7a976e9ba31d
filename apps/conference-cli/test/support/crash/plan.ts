/** A small complete conference.md, and folders in which it is confirmed or run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childScript, json, type Options } from './command.ts';

export interface PlanValues {
  readonly lanes?: number;
  readonly rounds?: number;
  readonly timeout?: string;
  readonly target?: string;
  /** Further bullets of Constraints. */
  readonly constraints?: readonly string[];
}

/** Two lanes; `child.sh` gives 61 and 60 in round 1, 71 and 70 in round 2, then 60: a plateau after round 4. */
export function planText(values: PlanValues = {}): string {
  const { lanes = 2, rounds = 6, timeout = '60s', target = '>= 71', constraints = [] } = values;
  return `# A small conference

## Goal

Find the setting with the highest score.

## Mode

metric

## Success Metric

- **Metric:** score
- **Target:** ${target}
- **Direction:** maximize

## Researchers

- **Count:** ${lanes}
- **Iterations per round:** 2
- **Max rounds:** ${rounds}

## Pre-Flight Gate

- **Critic / Devil's Advocate:** no

## Search Space

- **Allowed changes:** settings
- **Forbidden changes:** the task itself

## Constraints

- **Researcher timeout:** ${timeout}
${constraints.map((line) => `- ${line}\n`).join('')}`;
}

/** Writes the plan and asks its digest. */
async function plan(place: string, values: PlanValues = {}): Promise<string> {
  writeFileSync(join(place, 'conference.md'), planText(values));
  const { document } = await json(['plan'], { cwd: place });
  return document.plan_digest ?? '';
}

/** A folder with a confirmed plan, for the stepwise verbs. */
export async function confirmed(place: string, values: PlanValues = {}, name = 'out'): Promise<string> {
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  const digest = await plan(folder, values);
  const given = ['confirm', folder, '--plan-digest', digest, '--write-to', folder];
  const { code, err } = await json(given, { cwd: place });
  if (code !== 0) throw new Error(`confirm failed: ${err}`);
  return folder;
}

export function hostOf(behaviours: readonly string[] = []): string {
  return `exec:${[childScript, ...behaviours].join(' ')}`;
}

/** The words of a whole run into `out`. */
export async function runWords(
  place: string,
  given: {
    readonly values?: PlanValues;
    readonly behaviours?: readonly string[];
    readonly slots?: number;
  } = {},
): Promise<string[]> {
  const digest = await plan(place, given.values);
  const host = ['--host', hostOf(given.behaviours), '--slots', String(given.slots ?? 2)];
  return ['run', ...host, '--confirm', digest, '--write-to', 'out'];
}

/** `run --resume`, with the receipt that `recover` prints accepted. */
export async function resumeWords(
  folder: string,
  options: Options,
  behaviours: readonly string[] = [],
): Promise<string[]> {
  const { document } = await json(['recover', folder], options);
  const host = ['--host', hostOf(behaviours), '--slots', '2'];
  return ['run', '--resume', folder, ...host, '--accept', document.receipt_digest ?? ''];
}
