/** A live start for a person: reads the env files, opens the workspace, and says what became of it. */
import { hideValues, readEnvFiles } from '../env-files.ts';
import type { EnvValues } from '../env-files.ts';
import { EXIT } from '../exit-code.ts';
import { oneLine } from '../inert-text.ts';
import { launch } from '../herdr/launch.ts';
import type { LaunchOutcome, Undo } from '../herdr/launch.ts';
import { PROTOCOL_MIN } from '../herdr/messages.ts';
import type { HerdrFault } from '../herdr/messages.ts';
import { openSocketHerdr } from '../herdr/socket-herdr.ts';
import { herdrSocketPath } from '../herdr/socket-path.ts';
import type { TeamLayout } from '../plan/layout-node.ts';
import { envFilesOf, panesOf, withValues } from '../plan/pane-env.ts';
import type { World } from '../world.ts';

/** Opens the planned workspace; returns the exit code. */
export async function openLive(world: World, plan: TeamLayout, checkout: string): Promise<number> {
  const say = (lines: readonly string[]): void => {
    world.process.stderr.write(lines.map((line) => `conductor-layout: ${line}\n`).join(''));
  };
  const env = readEnvFiles(checkout, envFilesOf(plan.layout));
  const socket = herdrSocketPath(world.env);
  if (!env.ok || !socket.ok) {
    if (!env.ok) say(env.problems);
    if (!socket.ok) {
      say([
        `the socket path ${oneLine(socket.path)} is longer than ${socket.bytesMax} bytes: set HERDR_SOCKET_PATH to a shorter one`,
      ]);
    }
    return EXIT.badInput;
  }
  const order = { label: plan.label, cwd: checkout, root: withValues(plan.layout, env.values) };
  const outcome = await launch(openSocketHerdr(socket.path), order, world.interrupted());
  if (outcome.code === 'OPENED') {
    const panes = panesOf(plan.layout).length;
    world.process.stdout.write(
      `opened ${plan.label}: workspace ${oneLine(outcome.workspaceId)}, ${panes} ${panes === 1 ? 'pane' : 'panes'}\n` +
        `look at it: herdr workspace focus ${oneLine(outcome.workspaceId)}\n`,
    );
    return EXIT.done;
  }
  say(failureLines(outcome, { label: plan.label, socketPath: socket.path, values: env.values }));
  return outcome.code === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
}

interface Circumstances {
  readonly label: string;
  readonly socketPath: string;
  /** Taken out of everything that herdr says. */
  readonly values: EnvValues;
}

type Failure = Exclude<LaunchOutcome, { readonly code: 'OPENED' }>;

function failureLines(outcome: Failure, circumstances: Circumstances): string[] {
  const { label } = circumstances;
  switch (outcome.code) {
    case 'HERDR_TOO_OLD':
      return [
        `herdr ${oneLine(outcome.version)} speaks protocol ${outcome.protocol}; a layout needs ${PROTOCOL_MIN} or later: update herdr and restart it`,
      ];
    case 'LABEL_TAKEN': {
      const id = oneLine(outcome.workspaceId);
      return [
        `there is a workspace ${label} already, and nothing was changed`,
        `to look at it: herdr workspace focus ${id}`,
        `to start afresh: herdr workspace close ${id}, then the same command again`,
      ];
    }
    case 'OPENED_WITH_EMPTY_TAB':
      return [
        `opened ${label}: workspace ${oneLine(outcome.workspaceId)}; its panes run`,
        `its empty first tab could not be closed: ${faultText(outcome.fault, circumstances)}`,
        `to close it: herdr tab close ${oneLine(outcome.tabId)}`,
      ];
    case 'CANCELLED':
      return [`cancelled: ${undoText(outcome.undo, label)}`];
    case 'FAILED':
      if (outcome.step === 'ping' && outcome.fault.code === 'UNREACHABLE')
        return absentLines(outcome.fault.why, circumstances);
      return [
        `${outcome.step} failed: ${faultText(outcome.fault, circumstances)}`,
        undoText(outcome.undo, label),
      ];
  }
}

function absentLines(why: string, { socketPath }: Circumstances): string[] {
  return [
    `no herdr at ${oneLine(socketPath)} (${why})`,
    'start it by running herdr in a terminal of its own, or set HERDR_SOCKET_PATH to the socket of a running one',
    'without herdr the plan can be seen all the same: add --dry-run, or --dry-run --format tree',
  ];
}

function faultText(fault: HerdrFault, { values }: Circumstances): string {
  if (fault.code === 'UNREACHABLE') return `herdr is gone (${fault.why})`;
  if (fault.code === 'UNANSWERED') return fault.why;
  // Values first, controls after: cutting or flattening a text first would let a part of a value through.
  const [code, message] = [fault.herdrCode, fault.message].map((text) => oneLine(hideValues(text, values)));
  return `${message} (${code})`;
}

function undoText(undo: Undo, label: string): string {
  switch (undo.state) {
    case 'NOTHING_MADE':
      return 'nothing was opened';
    case 'CLOSED':
      return `the new workspace ${oneLine(undo.workspaceId)} was closed again`;
    case 'MAY_BE_OPEN':
      return undo.workspaceId === null
        ? `a workspace ${label} may be open all the same: look with herdr workspace list`
        : `the new workspace may still be open; to close it: herdr workspace close ${oneLine(undo.workspaceId)}`;
  }
}
