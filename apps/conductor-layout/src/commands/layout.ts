/** The command itself: a team's layout, printed by a dry run or opened in herdr. */
import { EXIT } from '../exit-code.ts';
import { quoted } from '../inert-text.ts';
import type { TeamLayout } from '../plan/layout-node.ts';
import { envFilesOf, layoutDocument, panesOf } from '../plan/pane-env.ts';
import { planTeamLayout } from '../plan/plan-team-layout.ts';
import { findTeam, openTeams } from '../teams-file/open-teams.ts';
import { PLAIN_VALUE } from '../teams-file/peer.ts';
import { findCheckout } from '../teams-file/repository.ts';
import type { World } from '../world.ts';

export type Format = 'json' | 'tree' | 'svg';

/** The flags as the command line gives them. */
export interface LayoutFlags {
  readonly dryRun: boolean;
  readonly format: Format | undefined;
  readonly width: number | undefined;
  readonly peers: string | undefined;
  readonly project: string;
  readonly conductor: boolean;
}

/** What is to be laid out, with every default resolved. */
interface Job {
  readonly plan: TeamLayout;
  readonly checkout: string;
  readonly peerCount: number;
  readonly hasConductor: boolean;
}

/** Where nothing says how wide a terminal is. */
const COLUMNS_DEFAULT = 80;

/** Runs the command; the exit code is left in the process. */
export async function layoutCommand(
  world: World,
  flags: LayoutFlags,
  team: string | undefined,
): Promise<void> {
  const problems = misuse(flags);
  const job = problems.length > 0 ? { ok: false as const, problems } : planJob(world, flags, team);
  if (!job.ok) {
    world.process.stderr.write(problemText(job.problems));
    world.process.exitCode = EXIT.badInput;
  } else if (flags.dryRun) {
    await printPlan(world, flags, job.job);
  } else {
    const { openLive } = await import('./open-live.ts');
    world.process.exitCode = await openLive(world, job.job.plan, job.job.checkout);
  }
}

/** Flags that say nothing together are refused, not ignored: without `--dry-run` a picture would be a live start. */
function misuse({ dryRun, format, width, project }: LayoutFlags): string[] {
  const problems: string[] = [];
  if (!dryRun && format !== undefined)
    problems.push('--format draws a plan: add --dry-run to see it, or leave --format out to open it');
  if (width !== undefined && (!dryRun || format !== 'tree'))
    problems.push('--width is for --dry-run --format tree');
  if (!PLAIN_VALUE.test(project)) {
    problems.push(`project ${quoted(project)}: only letters, digits and . _ / , - are accepted`);
  }
  return problems;
}

function planJob(
  world: World,
  flags: LayoutFlags,
  asked: string | undefined,
): { readonly ok: true; readonly job: Job } | { readonly ok: false; readonly problems: readonly string[] } {
  const opened = openTeams(world.cwd, flags.peers);
  if (!opened.ok) return opened;
  const found = findTeam(opened.teams, asked, opened.file);
  if (!found.ok) return found;
  const checkout = findCheckout(world.cwd);
  const { team, peers } = found;
  const { conductor, project } = flags;
  const planned = planTeamLayout({ team, peers, checkout, project, conductor });
  if (!planned.ok) {
    return {
      ok: false,
      problems: [`team ${quoted(team)} has no peers, so without a conductor there is no pane to open`],
    };
  }
  return {
    ok: true,
    job: { plan: planned.plan, checkout, peerCount: peers.length, hasConductor: conductor },
  };
}

/** The plan on stdout, one line about it on stderr. */
async function printPlan(world: World, { format, width }: LayoutFlags, job: Job): Promise<void> {
  const { stdout, stderr } = world.process;
  if (format === 'tree') {
    const { drawTree } = await import('../views/tree-drawing.ts');
    stdout.write(`${drawTree(job.plan, width ?? terminalColumns(world)).join('\n')}\n`);
  } else if (format === 'svg') {
    const { drawSvg } = await import('../views/svg-drawing.ts');
    stdout.write(drawSvg(job.plan));
  } else {
    stdout.write(`${JSON.stringify(layoutDocument(job.plan), null, 2)}\n`);
  }
  stderr.write(`${summary(job)}\n`);
}

function terminalColumns({ columns, env }: World): number {
  const named = Number(env['COLUMNS']);
  return columns ?? (Number.isInteger(named) && named > 0 ? named : COLUMNS_DEFAULT);
}

function summary({ plan, peerCount, hasConductor }: Job): string {
  const count = panesOf(plan.layout).length;
  const peers = `${peerCount} ${peerCount === 1 ? 'peer' : 'peers'}`;
  const panes = `${count} ${count === 1 ? 'pane' : 'panes'}`;
  const envFiles = envFilesOf(plan.layout).length;
  const unread = envFiles === 0 ? '' : `; ${envFiles} env ${envFiles === 1 ? 'file' : 'files'} not read`;
  return `dry run of ${plan.label}: ${panes}, ${hasConductor ? `the conductor and ${peers}` : peers}; nothing was opened${unread}`;
}

function problemText(problems: readonly string[]): string {
  return problems.map((problem) => `conductor-layout: ${problem}\n`).join('');
}
