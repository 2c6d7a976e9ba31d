#!/usr/bin/env node
/**
 * conductor-layout: prints or opens the terminal layout of a team beside its conductor.
 *
 * Boundary: the process itself, its streams, signals and exit code; everything else is given a `World`.
 */
import { run } from '@stricli/core';
import { app } from './app.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import type { World } from './world.ts';

const words = process.argv.slice(2);

const world: World = {
  process: { stdout: process.stdout, stderr: process.stderr, env: process.env },
  cwd: process.cwd(),
  env: process.env,
  words,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  interrupted() {
    const controller = new AbortController();
    // Once: the first asks for an orderly end, the second gets the system's own answer.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    return controller.signal;
  },
};

// A reader that has seen enough (`| head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});

async function main(): Promise<void> {
  if (words[0] === 'completion') {
    const { completionApp } = await import('./completion/completion-app.ts');
    await run(completionApp, words.slice(1), world);
  } else {
    await run(app, words, world);
  }
  process.exitCode = exitCodeOf(world.process.exitCode);
}

// The bundle is CommonJS, which has no top-level await. A rejection here is a bug, and ends the process as one.
void main();
