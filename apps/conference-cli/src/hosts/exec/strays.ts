/**
 * Processes that left the group of their child (`setsid`) and would outlive it: found by the charter file that their
 * environment still names (AUTO-23).
 *
 * Boundary: Linux only, where `/proc` shows the environment of one's own processes; elsewhere the group is all that is
 * ended. A process that also cleared its environment is not found.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Ends every process of this user whose `CONFERENCE_CHARTER` lies below `folder`. Gives their number. */
export function endStrays(folder: string): number {
  const mark = Buffer.from(`CONFERENCE_CHARTER=${folder}/`);
  let ended = 0;
  for (const name of processNames()) {
    const pid = Number(name);
    if (pid === process.pid || !carries(pid, mark)) continue;
    try {
      process.kill(pid, 'SIGKILL');
      ended += 1;
    } catch {
      // It has ended by itself.
    }
  }
  return ended;
}

function processNames(): string[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc').filter((name) => /^[1-9]\d*$/.test(name));
  } catch {
    return [];
  }
}

function carries(pid: number, mark: Buffer): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    const at = environment.indexOf(mark);
    return at === 0 || (at > 0 && environment[at - 1] === 0);
  } catch {
    // Another user's, or gone.
    return false;
  }
}
