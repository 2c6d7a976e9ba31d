#!/usr/bin/env node
/**
 * The one file that is deployed. Started by a person it is the command line; started by the daemon it runs programs for
 * it. Each loads only its own part.
 */
import { isProcessWorker, serveProcesses } from './transport/process-worker.ts';

if (isProcessWorker()) serveProcesses();
else {
  const { runCommandLine } = await import('./cli/app.ts');
  await runCommandLine(new URL(import.meta.url));
}
