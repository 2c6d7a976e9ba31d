/** A conference.md that is complete, with values to vary. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conference, type RunOptions } from './command.ts';

export interface Values {
  readonly lanes?: number;
  readonly iterations?: number;
  readonly rounds?: number;
  readonly target?: string;
  /** Duration; how long a child may take. */
  readonly timeout?: string;
  readonly mode?: 'metric' | 'qualitative';
  /** Further bullets of Constraints. */
  readonly constraints?: readonly string[];
  /** Further text at the end. */
  readonly more?: string;
}

/** Two lanes, three rounds at most; `child.sh` gives 50 and 51 in round 1, 60 and 61 in round 2. */
export function conferenceMd(values: Values = {}): string {
  const { lanes = 2, iterations = 2, rounds = 3, target = '>= 50', timeout = '30s' } = values;
  return `# A small conference

## Goal

Find the setting with the highest score.

## Mode

${values.mode ?? 'metric'}

## Success Metric

- **Metric:** score
- **Target:** ${target}
- **Direction:** maximize

## Success Criteria

- The setting can be explained.

## Researchers

- **Count:** ${lanes}
- **Iterations per round:** ${iterations}
- **Max rounds:** ${rounds}

## Pre-Flight Gate

- **Critic / Devil's Advocate:** no

## Search Space

- **Allowed changes:** settings
- **Forbidden changes:** the task itself

## Constraints

- **Researcher timeout:** ${timeout}
${(values.constraints ?? []).map((line) => `- ${line}\n`).join('')}
## Shared Knowledge

Setting 1 gives 40.
${values.more ?? ''}`;
}

export function writeConferenceMd(folder: string, values: Values = {}, name = 'conference.md'): string {
  const path = join(folder, name);
  writeFileSync(path, conferenceMd(values));
  return path;
}

const digests = new Map<string, Promise<string>>();

/** The plan digest, as the command itself gives it; asked once for one text, since no folder is in it. */
export function planDigest(options: RunOptions, args: readonly string[] = []): Promise<string> {
  const key = JSON.stringify([readFileSync(join(options.cwd, 'conference.md'), 'utf8'), args]);
  const known = digests.get(key) ?? askDigest(options, args);
  digests.set(key, known);
  return known;
}

async function askDigest(options: RunOptions, args: readonly string[]): Promise<string> {
  const { code, out, err } = await conference(['plan', ...args, '--json'], options);
  if (code !== 0) throw new Error(`plan ended with ${code}: ${out}${err}`);
  return (JSON.parse(out) as { plan_digest: string }).plan_digest; // the shape that the plan tests pin
}
