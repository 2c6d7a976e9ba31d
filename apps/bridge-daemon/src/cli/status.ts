/** Asks by a ping; what the daemon says of itself stands in its agent card. */
import { lookUp, openComs, ping } from '@x/coms-envelope/node';
import * as z from 'zod';
import { bridgeCardSchema, type BridgeCard } from '../status.ts';
import type { CliContext } from './context.ts';
import { exitCodes } from './exit-code.ts';
import type { StatusFlags } from './status-command.ts';

const cardSchema = z.object({ bridge: bridgeCardSchema });
const askMs = 5_000;

type Answer =
  | { readonly running: true; readonly pid: number; readonly card: BridgeCard }
  | { readonly running: false; readonly why: string };

const ask = async (env: NodeJS.ProcessEnv, { name, project }: StatusFlags): Promise<Answer> => {
  const opened = openComs({ env });
  if (!opened.ok) return { running: false, why: opened.message };
  const found = lookUp(opened.coms, project, name);
  if (found.kind !== 'entry')
    return { running: false, why: `${name} is not registered in project ${project}: start bridge-daemon` };
  const answer = await ping(opened.coms, found.entry.endpoint, { timeoutMs: askMs });
  if (!answer.ok) return { running: false, why: `${name} does not answer: ${answer.message}` };
  const card = cardSchema.safeParse(answer.pong.agent_card);
  return card.success
    ? { running: true, pid: found.entry.pid, card: card.data.bridge }
    : { running: false, why: `${name} answers, but is no bridge-daemon` };
};

const lines = (
  { name, project }: StatusFlags,
  { pid, card }: Extract<Answer, { running: true }>,
): string[] => [
  `${name} (project ${project}, process ${pid}): ${card.state}`,
  ...(card.state === 'degraded'
    ? [`  because         ${card.reason ?? ''}`, `  since           ${card.since ?? ''}`]
    : []),
  `  transport       ${card.transport}`,
  `  open questions  ${card.open_questions}`,
  `  last poll       ${card.last_poll_s} s ago`,
  ...(card.transport === 'telegram'
    ? [`  telegram poll   ${card.telegram_poll_s === null ? 'never' : `${card.telegram_poll_s} s ago`}`]
    : []),
  `  undelivered     ${card.undelivered}${card.undelivered > 0 ? ` in ${card.undelivered_dir}` : ''}`,
];

export const status = async (context: CliContext, flags: StatusFlags): Promise<void> => {
  const { node } = context;
  const answer = await ask(node.env, flags);
  const { name, project } = flags;
  if (flags.json) {
    const told = answer.running
      ? { name, project, running: true, pid: answer.pid, ...answer.card }
      : { name, project, running: false, reason: answer.why };
    node.stdout.write(`${JSON.stringify(told)}\n`);
  } else if (answer.running) node.stdout.write(`${lines(flags, answer).join('\n')}\n`);
  else node.stderr.write(`bridge-daemon: ${answer.why}\n`);
  node.exitCode = answer.running ? exitCodes.done : exitCodes.failed;
};
