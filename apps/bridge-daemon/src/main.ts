#!/usr/bin/env node
/** The one file that is deployed: the command line, and the text of the program that starts programs for it. */
import workerText from 'program:./transport/serve-processes.ts';
import { runCommandLine } from './cli/app.ts';

await runCommandLine(workerText);
