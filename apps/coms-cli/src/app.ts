/**
 * The verbs of `coms`, and how its command line is read.
 */
import { buildApplication, buildRouteMap } from '@stricli/core';
import { askCommand } from './commands/ask.ts';
import { awaitCommand } from './commands/await.ts';
import { cancelCommand } from './commands/cancel.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { listCommand } from './commands/list.ts';
import { pingCommand } from './commands/ping.ts';
import { replyCommand } from './commands/reply.ts';
import { sendCommand } from './commands/send.ts';
import { serveCommand } from './commands/serve.ts';
import { waitCommand } from './commands/wait.ts';
import packageJson from '../package.json' with { type: 'json' };

const routes = buildRouteMap({
  routes: {
    list: listCommand,
    send: sendCommand,
    await: awaitCommand,
    reply: replyCommand,
    ask: askCommand,
    cancel: cancelCommand,
    ping: pingCommand,
    serve: serveCommand,
    completion: completionCommand,
    __complete: completeCommand,
    __wait: waitCommand,
  },
  docs: {
    brief: 'Messages between agents on one machine',
    fullDescription: `Finds the agents of a project and talks to them.

  coms list                              who is there
  coms send planner --await "..."        delegate, and print the reply
  coms ask "Deploy now?" --option yes    ask a person
  coms serve --name helper               be a peer yourself

"coms <verb> --help" explains each verb with examples.

ENVIRONMENT
  COMS_CLI_PROJECT     project, where --project names none (else default)
  COMS_CLI_NAME        our own name, where --name gives none (else cli)
  PI_COMS_DIR          folder of registry and sockets (else ~/.pi/coms)
  PI_COMS_TIMEOUT_MS   how long a reply is waited for (else 1800000)
  PI_COMS_MAX_HOPS     prompts with more hops are refused (else 5)`,
    hideRoute: { __complete: true, __wait: true },
  },
});

export const app = buildApplication(routes, {
  name: 'coms',
  versionInfo: { currentVersion: packageJson.version },
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  documentation: { caseStyle: 'convert-camel-to-kebab' },
});
