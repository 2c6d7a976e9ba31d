import { listPeers, listProjects, type Listing } from '@x/coms-envelope/registry';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { resolveIdentity } from '../identity.ts';
import { peerTable, withoutControls } from '../peer-table.ts';

export interface ListFlags {
  readonly project?: string;
  readonly all: boolean;
  readonly json: boolean;
}

/** Stands for every project, as in existing tools. */
const everyProject = '*';

/** `coms list`: the live peers of a project. */
export async function list(context: CliContext, flags: ListFlags): Promise<void> {
  const every = flags.project === everyProject;
  const identity = resolveIdentity(context, every ? {} : flags);
  if (identity === null) return;
  const { coms, project } = identity;
  const listings: Listing[] = [];
  try {
    const projects = every ? listProjects(coms) : [project];
    for (const each of projects) listings.push(await listPeers(coms, each, { includeExplicit: flags.all }));
  } catch (error) {
    context.err(
      `coms: the registry cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return context.exit(exitCode.failed);
  }
  const peers = listings.flatMap((listing) => listing.peers);
  for (const warning of listings.flatMap((listing) => listing.warnings)) {
    context.err(`coms: ${withoutControls(warning.path)} ${warning.message}`);
  }
  if (flags.json) {
    context.out(`${JSON.stringify(peers.map((peer) => ({ project: peer.project, ...peer.entry })))}\n`);
  } else if (peers.length === 0) {
    context.err(every ? 'coms: no live peers' : `coms: no live peers in project ${project}`);
  } else {
    context.out(peerTable(peers, { showProject: every, now: Date.now() }));
  }
}
