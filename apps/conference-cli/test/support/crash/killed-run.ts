/**
 * A conference whose `run` is killed at random moments and resumed each time, as a person would: the recovery receipt accepted,
 * every question answered.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { json, start, type Running } from './command.ts';
import { ledgerOf, payloads } from './ledger-file.ts';
import { resumeWords, runWords, type PlanValues } from './plan.ts';
import type { Dice } from './seeded.ts';

export interface KilledRun {
  readonly folder: string;
  readonly kills: number;
  readonly decisions: readonly string[];
}

/** Exit codes of a conference that is over: done, out of budget without evidence, cancelled (07). */
const FINISHED = [0, 6, 130];

/** Processes that one conference may take; far above what any needs. */
const PROCESSES_MAX = 60;

export async function runKilled(
  place: string,
  dice: Dice,
  given: { readonly kills: number; readonly values: PlanValues; readonly prefer: readonly string[] },
): Promise<KilledRun> {
  const folder = join(place, 'out');
  const words = await runWords(place, { values: given.values });
  const decisions: string[] = [];
  let kills = 0;
  for (let process = 0; process < PROCESSES_MAX; process += 1) {
    const resuming = isPlanned(folder);
    const running = start(resuming ? await resumeWords(folder, { cwd: place }) : words, { cwd: place });
    if (kills < given.kills && (await killed(running, folder, dice))) {
      kills += 1;
      continue;
    }
    const { code, out, err } = await running.ended;
    if (code !== null && FINISHED.includes(code)) return { folder, kills, decisions };
    if (code !== 3 && code !== 4) throw new Error(`the run ended with ${code}: ${out}${err}`);
    decisions.push(...(await answer(folder, place, given.prefer)));
  }
  throw new Error(`not done after ${PROCESSES_MAX} processes`);
}

/** Whether anything was recorded that a resume could go on from. */
function isPlanned(folder: string): boolean {
  return existsSync(ledgerOf(folder)) && payloads(folder, 'conference.started').length > 0;
}

/** Kills once the ledger has grown by a random number of bytes, or at a random time after the start. False: it ended before. */
async function killed({ child, ended }: Running, folder: string, dice: Dice): Promise<boolean> {
  const from = sizeOf(folder);
  const early = dice.roll(5) === 0;
  const bytes = early ? 0 : from + dice.roll(16_000);
  const extraMs = dice.roll(early ? 600 : 40);
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  while (sizeOf(folder) < bytes && !isOver()) await pause(1);
  await pause(extraMs);
  if (isOver()) return false;
  child.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
}

async function answer(folder: string, place: string, prefer: readonly string[]): Promise<string[]> {
  const { document } = await json(['status', folder], { cwd: place });
  const { pending } = document;
  if (pending === null || pending === undefined) return [];
  const option = prefer.find((one) => pending.options.some(({ id }) => id === one));
  if (option === undefined) throw new Error(`no answer to ${JSON.stringify(pending)}`);
  const decided = await json(['decide', folder, pending.decision_id, option], { cwd: place });
  if (decided.code !== 0) throw new Error(`decide ended with ${decided.code}: ${decided.err}`);
  return [`${pending.kind}: ${option}`];
}

function sizeOf(folder: string): number {
  try {
    return statSync(ledgerOf(folder)).size;
  } catch {
    return 0;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What stands outside the conference folder: temporary roots, control sockets. */
export function leftovers(place: string): string[] {
  return readdirSync(place).filter((name) => name.startsWith('conference-'));
}

/** Processes whose environment names this place: children of a conference there, and theirs. Linux. */
export function processesOf(place: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`CONFERENCE_CHARTER=${place}/`);
      } catch {
        return false;
      }
    });
}
