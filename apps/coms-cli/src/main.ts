#!/usr/bin/env node
/**
 * The `coms` command. Start-up is kept small: definitions are here, each verb's code is loaded when it is called.
 */
import { run } from '@stricli/core';
import { app } from './app.ts';
import { createContext } from './context.ts';
import { exitCode, usageExitCode } from './exit-code.ts';

process.stdout.on('error', (error) => {
  // A reader that goes away (`coms list | head -1`) is no failure of ours; a full disk is one.
  if (!('code' in error) || error.code !== 'EPIPE') {
    process.stderr.write(`coms: stdout cannot be written: ${error.message}\n`);
    process.exitCode = exitCode.failed;
  }
  // A verb that tidies up when it is told to end is told; any other has nothing to tidy up.
  if (!process.emit('SIGTERM')) process.exit(process.exitCode ?? 0);
});
// Nobody reads what we say aside: the work itself goes on.
process.stderr.on('error', () => undefined);

await run(app, process.argv.slice(2), createContext(process));
process.exitCode = usageExitCode(process.exitCode);
