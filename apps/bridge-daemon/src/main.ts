#!/usr/bin/env node
/**
 * The one file that is deployed. Started as a program it is the command line; started as a thread it runs processes for
 * the daemon. Each loads only its own part.
 */
import { isProcessWorker, serveProcesses } from './transport/process-worker.ts';

if (isProcessWorker()) serveProcesses();
else {
  const { runCommandLine } = await import('./cli/app.ts');
  await runCommandLine(new URL(import.meta.url));
}
