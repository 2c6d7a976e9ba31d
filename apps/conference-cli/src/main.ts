#!/usr/bin/env node
/** The `conference` command. Definitions are here; each verb's code is loaded when it is called. */
import { proposeCompletions, run } from '@stricli/core';
import { app } from './app.ts';
import { createContext } from './context.ts';
import { usageExitCode } from './usage-exit-code.ts';

// A reader that goes away (`conference status | head -1`) is no failure of ours.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

const context = createContext(process, (words) => proposeCompletions(app, words, context));
await run(app, process.argv.slice(2), context);
process.exitCode = usageExitCode(process.exitCode);
