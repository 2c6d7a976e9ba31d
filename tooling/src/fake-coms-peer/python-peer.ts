/**
 * Runs the Python peer, where there is a Python.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const script = join(import.meta.dirname, 'peer.py');

/** The reason for which a test that needs Python is skipped; empty where there is one. */
export const noPython =
  spawnSync('python3', ['-c', 'import socket']).status === 0 ? '' : 'python3 is not on this machine';

type Json = Record<string, unknown>;

export interface PythonPeer {
  readonly endpoint: string;
  /** Everything that it has printed so far, in order. */
  readonly said: readonly Json[];
}

/** A registered Python peer, ended with the test. */
export async function startPythonPeer(root: string, name: string): Promise<PythonPeer> {
  const child = spawn('python3', [script, 'serve', root, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: Json[] = [];
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const value = JSON.parse(line) as Json;
      if (typeof value['ready'] === 'string') resolve(value['ready']);
      else said.push(value);
    });
    child.once('exit', () => reject(new Error('the Python peer ended')));
  });
  return { endpoint: await ready, said };
}

/** Writes envelopes to an endpoint as Python does it, in one of its styles, and gives what came back. */
export function pythonSend(endpoint: string, style: string, envelopes: readonly Json[]): Promise<Json[]> {
  return new Promise((resolve, reject) => {
    const child = execFile('python3', [script, 'send', endpoint, style], (error, stdout) => {
      if (error !== null) reject(error);
      else
        resolve(
          stdout
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Json),
        );
    });
    child.stdin?.end(envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  });
}
