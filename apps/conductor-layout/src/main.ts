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

function worldIn(cwd: string): World {
  return {
    process: { stdout: process.stdout, stderr: process.stderr, env: process.env },
    cwd,
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
}

async function main(): Promise<number> {
  const cwd = currentFolder();
  if (cwd === null) return fail(EXIT.badInput, 'the current folder is gone: change to one that exists');
  const world = worldIn(cwd);
  if (words[0] === 'completion') {
    const { completionApp } = await import('./completion/completion-app.ts');
    await run(completionApp, words.slice(1), world);
  } else {
    await run(app, words, world);
  }
  return exitCodeOf(world.process.exitCode);
}

/** Null where it was removed from under us, or may not be read. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

function fail(code: number, message: string): number {
  process.stderr.write(`conductor-layout: ${message}\n`);
  return code;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) is no failure of ours; a full disk is.
  process.exit(
    error.code === 'EPIPE' ? EXIT.done : fail(EXIT.failed, `stdout failed (${error.code ?? error.name})`),
  );
});

// The bundle is CommonJS, which has no top-level await. A rejection here is a bug, and ends the process as one.
void main().then((code) => (process.exitCode = code));
