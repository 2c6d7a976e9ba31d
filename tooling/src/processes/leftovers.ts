/**
 * Finds processes that a test run left behind, by a mark in the environment that every child inherits.
 *
 * Boundary: Linux only (it reads /proc); elsewhere nothing is found. A process that clears its environment is not seen.
 */
import { readFileSync, readdirSync } from 'node:fs';

export type Leftover = { readonly pid: number; readonly command: string };

/** How long processes that are about to end are given. */
const graceMs = 3_000;
const pollMs = 100;

/** Processes whose environment holds `name=value` still after the grace time. */
export const leftoversAfterGrace = async (name: string, value: string): Promise<readonly Leftover[]> => {
  const deadlineMs = performance.now() + graceMs;
  let found = markedProcesses(name, value);
  while (found.length > 0 && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    found = markedProcesses(name, value);
  }
  return found;
};

export const markedProcesses = (name: string, value: string): readonly Leftover[] => {
  if (process.platform !== 'linux') return [];
  const mark = `${name}=${value}`;
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && entry !== String(process.pid))
    .filter((pid) => readProcFile(pid, 'environ').split('\0').includes(mark))
    .map((pid) => ({ pid: Number(pid), command: readProcFile(pid, 'cmdline').split('\0').join(' ').trim() }));
};

/** Empty for a process that ended meanwhile, that is a zombie, or that belongs to somebody else. */
const readProcFile = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};
