/** Whether another daemon is there: its registered endpoint is asked, and the answer is good for a moment. */
import type { Daemon } from '@x/bridge';
import { judgeEndpoint, lookUp, openComs, probe } from '@x/coms-envelope/node';
import { daemonLimits } from './limits.ts';

export type Liveness = (daemon: Daemon) => Promise<boolean>;

const ask = async ({ name, project, coms_dir }: Daemon): Promise<boolean> => {
  const opened = openComs({ root: coms_dir });
  // A folder that cannot be trusted proves nobody dead.
  if (!opened.ok) return true;
  const found = lookUp(opened.coms, project, name);
  if (found.kind === 'absent') return false;
  if (found.kind === 'unusable') return true;
  const judged = judgeEndpoint(opened.coms, found.entry.endpoint);
  if (!judged.ok) return judged.code !== 'PEER_DEAD';
  return (await probe(judged.path, daemonLimits.probeMs)) === 'answers';
};

/** Never rejects. A doubtful case counts as alive: nothing of a living daemon is touched. */
export const createLiveness = (now: () => number): Liveness => {
  const known = new Map<string, { readonly at: number; readonly alive: Promise<boolean> }>();
  return (daemon) => {
    const key = JSON.stringify([daemon.coms_dir, daemon.project, daemon.name]);
    const last = known.get(key);
    if (last !== undefined && now() - last.at < daemonLimits.livenessMs) return last.alive;
    const alive = ask(daemon).catch(() => true);
    known.set(key, { at: now(), alive });
    return alive;
  };
};
