/**
 * Who owns a name, when many start at once (04 Registry, "a taken name").
 *
 * Claims are numbered files `claims/<project>/<name>/<n>`, each made by a hard link, which one process alone can
 * win. The owner is the holder of the highest number, if its endpoint answers; a dead holder is followed by the
 * next number. No lock is held, so none is left behind by a kill.
 *
 * N1 A claim is made only after its endpoint listens, so "does not answer" always means dead.
 * N2 The highest claim is never removed; lower ones may be. A claimant that finds a higher one has lost.
 * N3 Peers of others make no claims: the registry entry of a name counts as one, too.
 */
import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { RegistryEntry } from '../entry.ts';
import { entryBytesMax } from '../limits.ts';
import type { Coms } from './coms-folder.ts';
import { makeFolders } from './make-folders.ts';
import { judgeEndpoint, probe } from './probe.ts';
import { lookUp } from './registry.ts';
import { readSmallFile, removeFile, replaceFile, systemCode } from './safe-file.ts';
import { removeDeadSocket } from './stale-socket.ts';

/** Each round is lost only to another claimant that has won, so few are ever needed. */
const claimRoundsMax = 64;

const claimSchema = z.looseObject({
  session_id: z.string(),
  pid: z.number(),
  endpoint: z.string(),
});

/** Who holds a name. */
export interface NameHolder {
  readonly name: string;
  readonly session_id: string;
  readonly pid: number;
  readonly endpoint: string;
}

export type ClaimOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'NAME_TAKEN'; readonly holder: NameHolder };

async function answers(coms: Coms, endpoint: string, probeTimeoutMs: number): Promise<boolean> {
  const judged = judgeEndpoint(coms, endpoint);
  return judged.ok && (await probe(judged.path, probeTimeoutMs)) === 'answers';
}

function claimNumbers(dir: string): number[] {
  return readdirSync(dir)
    .filter((file) => /^\d{1,15}$/.test(file))
    .map(Number);
}

function readClaim(path: string, name: string, uid: number | null): NameHolder | null {
  const file = readSmallFile(path, entryBytesMax, uid);
  if (!file.ok) return null;
  try {
    const checked = claimSchema.safeParse(JSON.parse(file.text));
    if (!checked.success) return null;
    const { session_id, pid, endpoint } = checked.data;
    return { name, session_id, pid, endpoint };
  } catch {
    return null;
  }
}

/** The holder of a name whose endpoint answers, by its entry or by the highest claim; null where nobody does. */
async function liveHolder(
  coms: Coms,
  claim: { entry: RegistryEntry; project: string; dir: string; highest: number; probeTimeoutMs: number },
): Promise<NameHolder | null> {
  const { entry, project, dir, highest, probeTimeoutMs } = claim;
  const registered = lookUp(coms, project, entry.name);
  const candidates: NameHolder[] = [];
  if (registered.kind === 'entry') candidates.push(registered.entry);
  const claimed = highest > 0 ? readClaim(join(dir, String(highest)), entry.name, coms.uid) : null;
  if (claimed !== null && claimed.endpoint !== candidates[0]?.endpoint) candidates.push(claimed);
  for (const candidate of candidates) {
    if (candidate.endpoint === entry.endpoint) continue;
    if (await answers(coms, candidate.endpoint, probeTimeoutMs)) {
      const { name, session_id, pid, endpoint } = candidate;
      return { name, session_id, pid, endpoint };
    }
  }
  return null;
}

/** Removes the claims below ours, and the sockets of their dead holders. */
async function tidyUp(
  coms: Coms,
  { dir, numbers, probeTimeoutMs }: { dir: string; numbers: readonly number[]; probeTimeoutMs: number },
): Promise<void> {
  for (const number of numbers) {
    const path = join(dir, String(number));
    const holder = readClaim(path, '', coms.uid);
    removeFile(path);
    if (holder !== null) await removeDeadSocket(coms, holder.endpoint, probeTimeoutMs);
  }
}

/**
 * Takes `entry.name` in a project for the process whose endpoint the entry names, or tells who has it. Throws where
 * the file system fails.
 */
export async function claimName(
  coms: Coms,
  { entry, project, probeTimeoutMs }: { entry: RegistryEntry; project: string; probeTimeoutMs: number },
): Promise<ClaimOutcome> {
  const dir = join(coms.root, 'claims', project, entry.name);
  makeFolders(dir);
  const draft = join(dir, `.${entry.session_id}.draft`);
  const { session_id, pid, endpoint } = entry;
  replaceFile(draft, JSON.stringify({ session_id, pid, endpoint }), {
    scratch: `${draft}.tmp`,
    durable: false,
  });
  try {
    for (let round = 0; round < claimRoundsMax; round += 1) {
      const highest = Math.max(0, ...claimNumbers(dir));
      const holder = await liveHolder(coms, { entry, project, dir, highest, probeTimeoutMs });
      if (holder !== null) return { ok: false, code: 'NAME_TAKEN', holder };
      const mine = highest + 1;
      try {
        linkSync(draft, join(dir, String(mine)));
      } catch (error) {
        if (systemCode(error) === 'EEXIST') continue;
        throw error;
      }
      const numbers = claimNumbers(dir);
      if (Math.max(...numbers) !== mine) {
        removeFile(join(dir, String(mine)));
        continue;
      }
      await tidyUp(coms, { dir, numbers: numbers.filter((number) => number < mine), probeTimeoutMs });
      return { ok: true };
    }
  } finally {
    removeFile(draft);
  }
  throw new Error(`the name ${entry.name} changed hands ${claimRoundsMax} times while it was claimed`);
}
