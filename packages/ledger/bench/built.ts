/** Runs a bench on the built package in a plain node: the loader that runs this file rewrites code on the fly, and slows it down. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const runBuilt = (name: string): void => {
  execFileSync(process.execPath, [fileURLToPath(new URL(name, import.meta.url))], { stdio: 'inherit' });
};
