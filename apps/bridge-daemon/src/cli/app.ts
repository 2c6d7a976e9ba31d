/** The command line: without a verb it runs the daemon. */
import { buildApplication, buildRouteMap, run } from '@stricli/core';
import packageJson from '../../package.json' with { type: 'json' };
import { createContext } from './context.ts';
import { exitCodes } from './exit-code.ts';
import { runCommand } from './run-command.ts';
import { statusCommand } from './status-command.ts';
import { telegramCheckCommand } from './telegram-check-command.ts';

const routes = buildRouteMap({
  routes: { run: runCommand, status: statusCommand, telegramCheck: telegramCheckCommand },
  defaultCommand: 'run',
  docs: {
    brief: 'A question from an agent reaches a person, and the answer comes back',
    fullDescription: `Registers as the peer user-remote, puts each prompt before a person, and brings the answer back.

  bridge-daemon                       run it
  bridge-daemon --to telegram:docs    with another target of hermes send
  bridge-daemon status                how it is

ENVIRONMENT
  PI_COMS_DIR             folder of registry and sockets (else ~/.pi/coms)
  PI_COMS_TIMEOUT_MS      how long an answer is waited for (else 1800000)
  PI_COMS_MAX_HOPS        prompts with more hops are refused (else 5)
  HERMES_SEND_TIMEOUT_MS  when a hermes run that hangs is ended (else 20000)
  TELEGRAM_BOT_TOKEN_FILE file with the bot's token, readable by you alone
  TELEGRAM_BOT_TOKEN      the token itself, where there is no file
  TELEGRAM_API_ROOT       another Bot API server (else https://api.telegram.org)`,
  },
});

const app = buildApplication(routes, {
  name: 'bridge-daemon',
  versionInfo: { currentVersion: packageJson.version },
  scanner: { caseStyle: 'allow-kebab-for-camel' },
  documentation: { caseStyle: 'convert-camel-to-kebab' },
});

/** `workerText`: the program of the process that starts programs. */
export const runCommandLine = async (workerText: string): Promise<void> => {
  await run(app, process.argv.slice(2), createContext(process, workerText));
  // The parser marks a wrong command line by a negative code, which a shell would show as 251 or so.
  if (typeof process.exitCode === 'number' && process.exitCode < 0) process.exitCode = exitCodes.usage;
};
