/**
 * A world of its own for a test: temporary folders, a fake hermes, built daemons, and askers that speak coms. `end`
 * ends what was started, by its pid, and removes the folders.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Response } from '@x/coms-envelope';
import {
  listen,
  lookUp,
  openComs,
  ping,
  send,
  sendCancel,
  type Coms,
  type ListeningPeer,
  type SendOutcome,
} from '@x/coms-envelope/node';
import { createFakeHermes, type FakeHermes } from '../../../../tooling/src/fake-hermes/fake-hermes.ts';
import { waitFor } from './wait-for.ts';

export const daemonScript = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const comsScript = fileURLToPath(new URL('../../../coms-cli/dist/main.js', import.meta.url));

export interface LogEntry {
  readonly at: string;
  readonly qid: string;
  readonly event: string;
  readonly detail?: unknown;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Settles with exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export interface Asker {
  readonly peer: ListeningPeer;
  readonly responses: Response[];
  /** Sends a prompt; a msg_id makes it a repeat of an earlier one. */
  prompt(
    text: string,
    more?: { msgId?: string; replyTimeoutMs?: number; to?: string; project?: string },
  ): Promise<{ qid: string; sent: SendOutcome }>;
  /** As `prompt`, and fails where it is not acked. */
  ask(
    text: string,
    more?: { msgId?: string; replyTimeoutMs?: number; to?: string; project?: string },
  ): Promise<string>;
  response(qid: string): Promise<Response>;
}

const environment = (extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const { PI_COMS_TIMEOUT_MS: _timeout, PI_COMS_MAX_HOPS: _hops, ...rest } = process.env;
  return { ...rest, ...extra };
};

export const createWorld = (options: { hermes?: boolean } = {}) => {
  const root = mkdtempSync(join(tmpdir(), 'bd-'));
  const home = join(root, 'home');
  const comsDir = join(root, 'c');
  const state = join(home, '.pi', 'coms', 'hermes-bridge');
  const questions = join(state, 'questions');
  const hermesDir = join(root, 'hermes');
  mkdirSync(hermesDir);
  mkdirSync(home);
  const hermes: FakeHermes = createFakeHermes(hermesDir);
  if (options.hermes === false) hermes.uninstall();
  const env = environment({ ...hermes.env, HOME: home, PI_COMS_DIR: comsDir });
  const opened = openComs({ root: comsDir });
  if (!opened.ok) throw new Error(opened.message);
  const { coms } = opened;
  const running = new Set<ChildProcess>();
  const peers = new Set<ListeningPeer>();

  const start = (
    args: readonly string[],
    more: { env?: Record<string, string>; uid?: number; cwd?: string } = {},
  ): StartedProcess => {
    const child = spawn(process.execPath, args, {
      env: { ...env, ...more.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(more.uid === undefined ? {} : { uid: more.uid, gid: more.uid }),
      ...(more.cwd === undefined ? {} : { cwd: more.cwd }),
    });
    running.add(child);
    let out = '';
    let err = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.on('exit', (code, signal) => {
        running.delete(child);
        resolve(code ?? signal);
      }),
    );
    return { child, stdout: () => out, stderr: () => err, ended };
  };

  /** Starts a daemon and settles when its registry entry appears. */
  const daemon = async (
    flags: readonly string[] = [],
    more: {
      env?: Record<string, string>;
      node?: readonly string[];
      name?: string;
      project?: string;
      uid?: number;
      script?: string;
    } = {},
  ) => {
    const { name = 'user-remote', project = 'default' } = more;
    const args = [...(more.node ?? []), more.script ?? daemonScript, ...flags];
    const named = [
      ...(more.name === undefined ? [] : ['--name', name]),
      ...(more.project === undefined ? [] : ['--project', project]),
    ];
    const started = start([...args, ...named], more);
    let over: unknown = null;
    void started.ended.then((end) => (over = { end }));
    const entry = await waitFor('the daemon’s registry entry', () => {
      if (over !== null) throw new Error(`the daemon ended: ${JSON.stringify(over)} ${started.stderr()}`);
      const found = lookUp(coms, project, name);
      return found.kind === 'entry' && found.entry.pid === started.child.pid ? found.entry : null;
    });
    return {
      ...started,
      entry,
      /** Settles with the exit code. */
      terminate: (signal: NodeJS.Signals = 'SIGTERM') => {
        started.child.kill(signal);
        return started.ended;
      },
      card: async () => {
        const pong = await ping(coms, entry.endpoint);
        if (!pong.ok) throw new Error(pong.message);
        return pong.pong.agent_card;
      },
      cancel: (qid: string) =>
        sendCancel(coms, { endpoint: entry.endpoint, from: 'console', to: name, promptMsgId: qid }),
    };
  };

  const endpointOf = (name: string, project: string): string => {
    const found = lookUp(coms, project, name);
    if (found.kind !== 'entry') throw new Error(`${name} is not registered`);
    return found.entry.endpoint;
  };

  const asker = async (
    name: string,
    more: { cwd?: string; project?: string; onResponse?: (response: Response) => void } = {},
  ): Promise<Asker> => {
    const responses: Response[] = [];
    const peer = await listen({
      coms,
      name,
      cwd: more.cwd ?? '/srv/repo',
      project: more.project ?? 'default',
      handlers: {
        response: (response) => {
          responses.push(response);
          more.onResponse?.(response);
          return { ok: true };
        },
      },
    });
    if (!peer.ok) throw new Error(peer.message);
    peers.add(peer);
    const prompt: Asker['prompt'] = async (
      text,
      { msgId, replyTimeoutMs, to = 'user-remote', project = more.project ?? 'default' } = {},
    ) => {
      const envelope = peer.prompt({
        prompt: text,
        ...(msgId === undefined ? {} : { msgId }),
        ...(replyTimeoutMs === undefined ? {} : { replyTimeoutMs }),
      });
      return {
        qid: envelope.msg_id,
        sent: await send(coms, { endpoint: endpointOf(to, project), envelope }),
      };
    };
    return {
      peer,
      responses,
      prompt,
      ask: async (text, how) => {
        const { qid, sent } = await prompt(text, how);
        if (!sent.ok) throw new Error(`not acked: ${sent.message}`);
        return qid;
      },
      response: (qid) =>
        waitFor(`the response to ${qid}`, () => responses.find(({ msg_id }) => msg_id === qid)),
    };
  };

  let prepared = 0;
  const answerBody = (qid: string, answer: string, more: Record<string, unknown> = {}): string =>
    JSON.stringify({ qid, answer, answered_by: 'telegram:ann', at: new Date().toISOString(), ...more });
  /** As the liaison does: prepared in a sibling folder, then renamed. */
  const put = (name: string, bytes: string | Buffer, folder: string = questions): void => {
    const preparing = join(root, 'preparing');
    mkdirSync(preparing, { recursive: true });
    prepared += 1;
    const scratch = join(preparing, String(prepared));
    writeFileSync(scratch, bytes, { mode: 0o600 });
    renameSync(scratch, join(folder, name));
  };

  const files = (folder: string): string[] => readdirSync(join(state, folder)).toSorted();

  return {
    root,
    home,
    comsDir,
    state,
    questions,
    env,
    coms: coms satisfies Coms,
    hermes,
    start,
    daemon,
    asker,
    put,
    answerBody,
    answer: (qid: string, answer: string, more: Record<string, unknown> = {}): void =>
      put(`${qid}.answer.json`, answerBody(qid, answer, more)),
    /** The `coms` command, with the registry of this world. */
    comsCommand: (args: readonly string[]) => start([comsScript, ...args]),
    files,
    /** A record as it lies on the disk now. */
    record: (folder: 'pending' | 'closed' | 'undelivered', qid: string): Record<string, unknown> =>
      // Written by the daemon; tests look at single fields.
      JSON.parse(readFileSync(join(state, folder, `${qid}.json`), 'utf8')) as Record<string, unknown>,
    log: (): LogEntry[] =>
      files('.')
        .filter((file) => /^log\..*ndjson$/.test(file))
        .flatMap((file) => readFileSync(join(state, file), 'utf8').split('\n'))
        .filter((line) => line !== '')
        // Written by the daemon; the shape is pinned by a test of the log record.
        .map((line) => JSON.parse(line) as LogEntry),
    sentTexts: (): string[] => hermes.runs().map((args) => args.at(-1) ?? ''),
    end: async (): Promise<void> => {
      for (const child of running) child.kill('SIGKILL');
      await Promise.all([...running].map((child) => new Promise((resolve) => child.once('exit', resolve))));
      await Promise.all([...peers].map((peer) => peer.close()));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

export type World = ReturnType<typeof createWorld>;
export type Daemon = Awaited<ReturnType<World['daemon']>>;
