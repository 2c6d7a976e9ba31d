/**
 * Values that a shell may offer: peers, projects, message ids. Completion never fails and never writes.
 */
import { listPeers, listProjects } from '@x/coms-envelope/node';
import type { CliContext } from './context.ts';
import { resolveIdentity, type Identity } from './identity.ts';
import { isSpoolId, spoolIds, type Box } from './spool.ts';

/** A shell shows no more than a screen of them. */
const proposalsMax = 200;

function quietIdentity(context: CliContext): Identity | null {
  return resolveIdentity({ ...context, err: () => undefined, exit: () => undefined }, {});
}

function starting(values: readonly string[], partial: string): string[] {
  return values.filter((value) => value.startsWith(partial)).slice(0, proposalsMax);
}

export async function completePeers(context: CliContext, partial: string): Promise<string[]> {
  const identity = quietIdentity(context);
  if (identity === null) return [];
  const { peers } = await listPeers(identity.coms, identity.project);
  return starting(
    peers.map(({ entry }) => entry.name),
    partial,
  );
}

export function completeProjects(context: CliContext, partial: string): string[] {
  const identity = quietIdentity(context);
  return identity === null ? [] : starting(listProjects(identity.coms), partial);
}

function completeMessages(context: CliContext, partial: string, boxes: readonly Box[]): string[] {
  const identity = quietIdentity(context);
  if (identity === null) return [];
  // An id of another tool may hold spaces or line breaks, which a shell's list of words cannot.
  const ids = boxes.flatMap((box) => spoolIds(identity, box)).filter(isSpoolId);
  return starting([...new Set(ids)], partial);
}

export function completePending(context: CliContext, partial: string): string[] {
  return completeMessages(context, partial, ['pending']);
}

export function completeSent(context: CliContext, partial: string): string[] {
  return completeMessages(context, partial, ['pending', 'responses']);
}

export function completeInbound(context: CliContext, partial: string): string[] {
  return completeMessages(context, partial, ['inbound']);
}
