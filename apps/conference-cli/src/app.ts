/** The verbs of `conference`, and how its command line is read. */
import { buildApplication, buildRouteMap } from '@stricli/core';
import packageJson from '../package.json' with { type: 'json' };
import { cancelCommand, decideCommand, expireCommand } from './commands/steer.ts';
import { dispatchCommand } from './commands/dispatch.ts';
import { nextCommand } from './commands/next.ts';
import { submitCommand } from './commands/submit.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { confirmCommand } from './commands/confirm.ts';
import { evaluateCommand } from './commands/evaluate.ts';
import { initCommand } from './commands/init.ts';
import { planCommand } from './commands/plan.ts';
import { recoverCommand } from './commands/recover.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { schemaCommand } from './commands/schema.ts';
import { statusCommand } from './commands/status.ts';
import { verifyCommand } from './commands/verify.ts';

const routes = buildRouteMap({
  routes: {
    init: initCommand,
    plan: planCommand,
    confirm: confirmCommand,
    run: runCommand,
    next: nextCommand,
    dispatch: dispatchCommand,
    submit: submitCommand,
    expire: expireCommand,
    decide: decideCommand,
    cancel: cancelCommand,
    status: statusCommand,
    recover: recoverCommand,
    verify: verifyCommand,
    report: reportCommand,
    evaluate: evaluateCommand,
    schema: schemaCommand,
    completion: completionCommand,
    __complete: completeCommand,
  },
  docs: {
    brief: 'Bounded research conferences',
    fullDescription: `Runs a research conference: lanes explore, a poster compares, a reviewer overturns what does not hold, and rounds go on until a rule says stop. Every dispatch is accounted for in a hash-chained ledger.

  conference plan conference.md                        what would be run, and its digest
  conference run --host exec:./lane.mjs --write-to out the whole job
  conference status out                                where it stands
  conference verify out                                whether it is what it says

"conference <verb> --help" explains each verb with examples.`,
    hideRoute: { __complete: true },
  },
});

export const app = buildApplication(routes, {
  name: 'conference',
  versionInfo: { currentVersion: packageJson.version },
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  documentation: { caseStyle: 'convert-camel-to-kebab' },
  completion: { includeAliases: false },
});
