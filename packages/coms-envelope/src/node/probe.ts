/**
 * Is somebody there? Connects to an endpoint, sends nothing, and closes.
 *
 * Boundary: one connection attempt. Only "refused" and "not there" prove that nobody listens: a stopped owner still
 * accepts (its kernel does), and any other failure leaves it alive.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { isAllowedEndpoint, socketPathExcess } from '../endpoint.ts';
import type { Coms } from './coms-folder.ts';
import { systemCode } from './safe-file.ts';

export type ProbeResult = 'answers' | 'dead';

/** True for the errors of `connect` after which surely nobody listens there. */
export function isDeadCode(code: string): boolean {
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}

/** Connects to `endpoint` and says whether an owner is behind it. Never rejects; ends within `timeoutMs`. */
export function probe(endpoint: string, timeoutMs: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ path: endpoint });
    const done = (result: ProbeResult): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => done('answers'), timeoutMs);
    socket.once('connect', () => done('answers'));
    socket.on('error', (error) => done(isDeadCode(systemCode(error)) ? 'dead' : 'answers'));
  });
}

export type EndpointJudgement =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: 'ENDPOINT_REFUSED' | 'PEER_DEAD'; readonly message: string };

function refusedEndpoint(problem: string): EndpointJudgement {
  return { ok: false, code: 'ENDPOINT_REFUSED', message: `${problem}: not connected` };
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** The endpoint as a path in our spelling of the sockets folder, or null where it lies anywhere else. */
function insideSockets(coms: Coms, endpoint: string): string | null {
  if (isAllowedEndpoint(endpoint, coms)) return endpoint;
  if (coms.platform === 'win32' || !endpoint.startsWith('/')) return null;
  const ours = realFolder(coms.socketsDir);
  if (ours === null || realFolder(dirname(endpoint)) !== ours) return null;
  const respelled = join(coms.socketsDir, basename(endpoint));
  return isAllowedEndpoint(respelled, coms) ? respelled : null;
}

/** What speaks against the file at a socket's path: nothing, that it is not there, or what it is instead. */
function lookAtSocket(path: string, coms: Coms): EndpointJudgement {
  const excess = socketPathExcess(path, coms.platform);
  if (excess !== null) {
    return refusedEndpoint(`${path} has ${excess.bytes} bytes, at most ${excess.bytesMax} reach a socket`);
  }
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { ok: false, code: 'PEER_DEAD', message: `nobody listens on ${path}` };
    if (!stats.isSocket()) return refusedEndpoint(`${path} is not a socket`);
    if (coms.uid !== null && stats.uid !== coms.uid) {
      return refusedEndpoint(`${path} belongs to user id ${stats.uid}`);
    }
    return { ok: true, path };
  } catch (error) {
    return refusedEndpoint(`${path} cannot be looked at (${systemCode(error)})`);
  }
}

/**
 * May we connect there (04 Beyond what exists)? Only to a socket of this user, directly inside the coms `sockets`
 * folder, whichever of the folder's names the endpoint uses. Never throws.
 */
export function judgeEndpoint(coms: Coms, endpoint: string): EndpointJudgement {
  const path = insideSockets(coms, endpoint);
  if (path === null)
    return refusedEndpoint(`endpoint ${JSON.stringify(endpoint)} is not inside ${coms.socketsDir}`);
  return coms.platform === 'win32' ? { ok: true, path } : lookAtSocket(path, coms);
}
