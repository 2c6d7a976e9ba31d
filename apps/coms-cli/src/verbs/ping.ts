import { findPeer, ping as pingPeer } from '@x/coms-envelope/node';
import type { CliContext } from '../context.ts';
import { resolveIdentity } from '../identity.ts';
import { printable } from '../peer-table.ts';
import { reportProblem } from '../report.ts';

export interface PingFlags {
  readonly project?: string;
  readonly timeout?: number;
  readonly json: boolean;
}

/** `coms ping <peer>`: prints the agent card. */
export async function ping(context: CliContext, flags: PingFlags, peer: string): Promise<void> {
  const identity = resolveIdentity(context, flags);
  if (identity === null) return;
  const found = await findPeer(identity.coms, identity.project, peer);
  if (!found.ok) return reportProblem(context, flags.json, found);
  const startedMs = performance.now();
  const outcome = await pingPeer(
    identity.coms,
    found.peer.entry.endpoint,
    flags.timeout === undefined ? {} : { timeoutMs: flags.timeout },
  );
  const tookMs = Math.round((performance.now() - startedMs) * 10) / 10;
  if (!outcome.ok) {
    return reportProblem(context, flags.json, {
      code: outcome.code,
      message: `${peer} does not answer: ${outcome.message}`,
    });
  }
  const card = outcome.pong.agent_card;
  if (flags.json) return context.out(`${JSON.stringify({ ok: true, took_ms: tookMs, agent_card: card })}\n`);
  context.out(`${peer} answered in ${tookMs} ms\n`);
  for (const [field, value] of Object.entries(card)) {
    context.out(
      `  ${printable(field)}: ${printable(typeof value === 'string' ? value : JSON.stringify(value))}\n`,
    );
  }
}
