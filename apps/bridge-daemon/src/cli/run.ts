/** Starts the daemon and turns signals into an orderly end. */
import { join } from 'node:path';
import { inspect } from 'node:util';
import { homeFolder } from '@x/coms-envelope/node';
import { startDaemon, type RunningDaemon, type StartOutcome } from '../daemon.ts';
import { daemonLimits } from '../limits.ts';
import { openOperationalLog, type Logger } from '../log/operational-log.ts';
import { redactorOf, type Redact } from '../transport/telegram/redact.ts';
import type { CliContext } from './context.ts';
import { exitCodes } from './exit-code.ts';
import { readChannel } from './channel.ts';
import type { RunFlags } from './run-command.ts';

const defaultQuestionsDir = (): string => join(homeFolder(), '.pi', 'coms', 'hermes-bridge', 'questions');

/** Settles with the exit code when a signal came, or the daemon is lost. */
const untilEnd = (log: Logger): { ended: Promise<number>; lost: (why: string) => void } => {
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      signals += 1;
      log.info({ signal }, 'ending');
      end(exitCodes.done);
      // Asked twice, it goes at once: all that matters is on the disk.
      if (signals > 1) process.exit(exitCodes.done);
    });
  return {
    ended,
    lost: (why) => {
      log.fatal({ why }, 'nobody can reach this daemon any more: it ends, to be started again');
      end(exitCodes.failed);
    },
  };
};

const closeInTime = async (daemon: RunningDaemon, code: number): Promise<void> => {
  setTimeout(() => process.exit(code), daemonLimits.shutdownMs).unref();
  await daemon.close();
};

/** A bug's last words may hold what no log may. */
const redactLastWords = (redact: Redact): void => {
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`${redact(inspect(error))}\n`);
    process.exit(exitCodes.failed);
  });
};

/** As `startDaemon`; a failing disk ends the process instead of leaving half a daemon. */
const startSurely = async (
  parts: Parameters<typeof startDaemon>[0],
  redact: Redact,
): Promise<StartOutcome> => {
  try {
    return await startDaemon(parts);
  } catch (error) {
    parts.log.fatal({ err: error }, 'the daemon could not start');
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`bridge-daemon: ${redact(why)}\n`);
    return process.exit(exitCodes.failed);
  }
};

export const run = async (context: CliContext, flags: RunFlags): Promise<void> => {
  const { node, workerText } = context;
  const read = readChannel(flags, node.env);
  if (read.code === 'refused') {
    node.stderr.write(read.messages.map((message) => `bridge-daemon: ${message}\n`).join(''));
    node.exitCode = exitCodes.usage;
    return;
  }
  const { channel } = read;
  const redact: Redact =
    channel.transport === 'telegram' ? redactorOf(channel.settings.token) : (text) => text;
  redactLastWords(redact);
  const log = openOperationalLog(flags.logLevel, redact);
  const { ended, lost } = untilEnd(log);
  const config = {
    name: flags.name,
    project: flags.project,
    channel,
    timeoutMs: flags.timeout ?? null,
    pollMs: flags.pollMs,
    questionsDir: flags.questionsDir ?? defaultQuestionsDir(),
    logLevel: flags.logLevel,
    workerText,
    env: node.env,
  };
  const started = await startSurely({ config, log, onLost: lost }, redact);
  if (started.code === 'refused') {
    node.stderr.write(`bridge-daemon: ${started.message}\n`);
    node.exitCode = exitCodes.failed;
    return;
  }
  const code = await ended;
  await closeInTime(started, code);
  process.exit(code);
};
