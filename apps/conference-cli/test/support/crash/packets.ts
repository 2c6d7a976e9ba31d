/** Packets for charters, as `child.sh` makes them, and by hand: for the stepwise verbs, where the test is the host. */
import { spawnSync } from 'node:child_process';
import { childScript, conference, json, type Action, type Document } from './command.ts';

/** What the fast child answers to a charter. */
export function packetFor(charter: object | undefined, behaviours: readonly string[] = []): string {
  const input = canonical(charter);
  const ran = spawnSync(childScript, behaviours, { input, encoding: 'utf8' });
  return ran.stdout;
}

/** Keys sorted, as a host gets its charter on stdin. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

/** Records and gives the charters that are due. */
export async function dispatch(folder: string, slots = 4): Promise<readonly Action[]> {
  const { document } = await json(['dispatch', folder, '--slots', String(slots)], { cwd: folder });
  return document.actions ?? [];
}

export async function submit(
  folder: string,
  id: string | undefined,
  packet: string,
  more: readonly string[] = [],
): Promise<{ code: number | null; document: Document; err: string }> {
  return json(['submit', folder, id ?? '', '-', ...more], { cwd: folder, input: packet });
}

/** Dispatches what is due and hands in the child's packets, until a phase is reached or `turns` turns are done. */
export async function proceed(folder: string, turns: number): Promise<Document> {
  let last: Document = {};
  for (let turn = 0; turn < turns; turn += 1) {
    const actions = await dispatch(folder);
    const lines = actions.map(({ dispatch_id, charter }) =>
      JSON.stringify({ dispatch_id, packet: packetFor(charter) }),
    );
    if (lines.length === 0) return last;
    const given = { cwd: folder, input: `${lines.join('\n')}\n` };
    const { code, out, err } = await conference(['submit', folder, '--batch', '-', '--json'], given);
    if (code !== 0) throw new Error(`submit ended with ${code}: ${out}${err}`);
    last = JSON.parse(out) as Document; // printed by the command under test
  }
  return last;
}
