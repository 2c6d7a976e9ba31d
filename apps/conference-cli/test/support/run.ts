/** One whole run with `child.sh` as the host's command. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { childScript, conference, startConference, type Ran, type Running } from './command.ts';
import { planDigest, writeConferenceMd, type Values } from './conference-md.ts';
import { eventsNamed } from './folder.ts';

export interface RunInput {
  /** A folder of the test's own. */
  readonly place: string;
  /** Have each child note what it was given, in `notes`. */
  readonly noting?: boolean;
  /** `KEY=BEHAVIOUR` words of child.sh. */
  readonly behaviours?: readonly string[];
  readonly values?: Values;
  readonly slots?: number;
  readonly args?: readonly string[];
  /** Without a grant when null. */
  readonly writeTo?: string | null;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunSetting {
  readonly args: string[];
  readonly folder: string;
  readonly notes: string;
}

export async function prepareRun(input: RunInput): Promise<RunSetting> {
  const { place, behaviours = [], noting = false, slots = 2, args = [], writeTo = 'out' } = input;
  const notes = join(place, 'notes');
  mkdirSync(notes, { recursive: true });
  writeConferenceMd(place, input.values);
  const passed = args.flatMap((word, at) => (args[at - 1] === '--pass-env' ? ['--pass-env', word] : []));
  const digest = await planDigest({ cwd: place }, passed);
  return {
    args: [
      'run',
      '--host',
      `exec:${[childScript, ...(noting ? [`log=${notes}`] : []), ...behaviours].join(' ')}`,
      '--slots',
      String(slots),
      '--confirm',
      digest,
      ...(writeTo === null ? [] : ['--write-to', writeTo]),
      ...args,
    ],
    folder: join(place, writeTo ?? 'out'),
    notes,
  };
}

export async function runOnce(input: RunInput): Promise<Ran & RunSetting> {
  const setting = await prepareRun(input);
  const ran = await conference(setting.args, { cwd: input.place, ...(input.env && { env: input.env }) });
  return { ...ran, ...setting };
}

/**
 * A run in which nothing is timed out but the one child that hangs: where the machine was too slow for that, again with more
 * time for each child.
 */
export async function runWithOneHanging(input: RunInput): Promise<Ran & RunSetting> {
  for (const timeout of ['6s', '20s']) {
    const ran = await runOnce({ ...input, values: { ...input.values, timeout } });
    if (eventsNamed(ran.folder, 'dispatch.timed_out').length === 1) return ran;
    for (const made of [ran.folder, ran.notes]) rmSync(made, { recursive: true, force: true });
  }
  return runOnce({ ...input, values: { ...input.values, timeout: '60s' } });
}

export async function startRun(input: RunInput): Promise<Running & RunSetting> {
  const setting = await prepareRun(input);
  const running = startConference(setting.args, { cwd: input.place, ...(input.env && { env: input.env }) });
  return { ...running, ...setting };
}

/** What each child was given, by seat and round (`A1`, `review2`). */
export function readNotes(notes: string): Map<string, string[]> {
  return new Map(
    readdirSync(notes)
      .filter((name) => /^[A-Za-z]+\d+\.[0-9A-Z]{26}$/.test(name))
      .map((name) => [name.split('.')[0] ?? '', readFileSync(join(notes, name), 'utf8').split('\n')]),
  );
}

export function noteOf(lines: readonly string[] | undefined, key: string): string | undefined {
  return lines?.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
}

/** Names of temporary roots of ours below the run's TMPDIR. */
export function temporaryRoots(place: string): string[] {
  return readdirSync(place).filter((name) => /^conference-[0-9A-Z]{26}$/.test(name));
}
