#!/usr/bin/env node
/**
 * The `coms` command. Start-up is kept small: definitions are here, each verb's code is loaded when it is called.
 */
import { run } from '@stricli/core';
import { app } from './app.ts';
import { createContext } from './context.ts';
import { usageExitCode } from './exit-code.ts';

// A reader that goes away (`coms list | head -1`) is no failure of ours.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
  // A verb that tidies up when it is told to end is told; any other has nothing to tidy up.
  if (!process.emit('SIGTERM')) process.exit(process.exitCode ?? 0);
});

await run(app, process.argv.slice(2), createContext(process));
process.exitCode = usageExitCode(process.exitCode);
