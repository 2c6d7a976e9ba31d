/**
 * The daemon's life: it takes its name, takes over what is stored, serves, and leaves.
 *
 * O1 The name is held before any record is touched: records have one writer.
 * O3 A prompt waits for its ack until the stored questions are known.
 */
import { realpathSync } from 'node:fs';
import { parseQid } from '@x/bridge';
import type { Verdict } from '@x/coms-envelope';
import { listen, openComs, type Coms, type ListeningPeer, type PeerFault } from '@x/coms-envelope/node';
import { createBridgeCore, type BridgeCore } from './bridge-core.ts';
import type { DaemonConfig } from './config.ts';
import { openContractLog, type ContractLog } from './log/contract-log.ts';
import type { Logger } from './log/operational-log.ts';
import { cancelledQid, purpose, takePrompt } from './presence.ts';
import { openFolders, type Folders } from './store/folders.ts';
import { createHermesTransport } from './transport/hermes.ts';
import { createProcessRunner } from './transport/process-worker.ts';
import type { QuestionTransport } from './transport/question-transport.ts';

export interface RunningDaemon {
  readonly code: 'running';
  readonly endpoint: string;
  /** Removes entry and socket, lets what is under way finish for a bounded time, and settles. */
  close(): Promise<void>;
}

export type StartOutcome = RunningDaemon | { readonly code: 'refused'; readonly message: string };

interface StartParts {
  readonly config: DaemonConfig;
  readonly log: Logger;
  /** The daemon can no longer be reached and should be started again. */
  readonly onLost: (why: string) => void;
}

const refused = (message: string): StartOutcome => ({ code: 'refused', message });

interface Serving {
  readonly core: BridgeCore;
  readonly take: (prompt: Parameters<typeof takePrompt>[1]) => Promise<Verdict>;
}

interface Place {
  readonly coms: Coms;
  readonly folders: Folders;
  readonly contractLog: ContractLog;
  readonly transport: QuestionTransport;
}

type TransportOpening =
  | { readonly code: 'transport'; readonly transport: QuestionTransport }
  | { readonly code: 'refused'; readonly message: string };

const openTransport = async ({ config, log }: StartParts, stateDir: string): Promise<TransportOpening> => {
  const { channel, name, project } = config;
  if (channel.transport === 'hermes') {
    const runner = createProcessRunner(config.workerText);
    const { to: target, profile, runMs } = channel;
    return { code: 'transport', transport: createHermesTransport({ runner, target, profile, runMs }) };
  }
  // The Bot API's code is loaded by those alone who use it.
  const { openTelegram } = await import('./transport/telegram/open-telegram.ts');
  return openTelegram({ settings: channel.settings, name, project, stateDir, log });
};

const serve = (place: Place, peer: ListeningPeer, parts: StartParts): Serving => {
  const { config, log } = parts;
  const { coms, folders, contractLog, transport } = place;
  const daemon = { name: peer.name, project: peer.project, coms_dir: realpathSync(coms.root) };
  const from = { session: peer.sessionId, endpoint: peer.endpoint };
  const { pollMs } = config;
  const core = createBridgeCore({ coms, daemon, from, folders, contractLog, transport, log, pollMs });
  const presence = { coms, daemon, desk: core.desk, transport, flagMs: config.timeoutMs, env: config.env };
  return {
    core,
    take: async (prompt) => {
      const verdict = await core.asking(() => takePrompt(presence, prompt));
      const qid = parseQid(prompt.msg_id);
      if (verdict.ok && qid !== null) core.wake(qid);
      return verdict;
    },
  };
};

const onFault =
  ({ log, onLost }: StartParts) =>
  (fault: PeerFault): void => {
    log.error({ err: fault.cause, code: fault.code }, fault.message);
    if (fault.code === 'SOCKET_LOST') onLost(fault.message);
  };

/** Starts, or says why not and what to do. Rejects only on a bug or a failing disk. */
export const startDaemon = async (parts: StartParts): Promise<StartOutcome> => {
  const { config, log } = parts;
  const opened = openComs({ env: config.env });
  if (!opened.ok) return refused(opened.message);
  const { coms } = opened;
  // Opened before the name is taken: a bad folder is said without a trace in the registry, and ready means ready.
  const prepared = openFolders(config.questionsDir);
  if (prepared.code === 'refused') return prepared;

  const { folders } = prepared;
  const contractLog = openContractLog(folders.log, {
    onFault: (error) => log.error({ err: error }, 'the contract log could not be rotated'),
  });

  const opening = await openTransport(parts, folders.state);
  if (opening.code === 'refused') {
    contractLog.close();
    return opening;
  }
  const { transport } = opening;

  let begin: (serving: Serving) => void = () => undefined;
  const serving = new Promise<Serving>((resolve) => {
    begin = resolve;
  });
  let core: BridgeCore | null = null;
  const peer = await listen({
    coms,
    name: config.name,
    project: config.project,
    onTakenName: 'refuse',
    purpose,
    handlers: {
      prompt: async (prompt) => (await serving).take(prompt),
      cancel: async (cancel) => {
        const { core: ready } = await serving;
        const qid = cancelledQid(ready.desk, cancel);
        if (qid !== null) await ready.cancel(qid, null);
      },
      card: () => (core === null ? {} : { queue_depth: core.desk.openCount(), bridge: core.card() }),
      fault: onFault(parts),
    },
  });
  if (!peer.ok) {
    await transport.close(0);
    contractLog.close();
    return refused(peer.message);
  }

  const made = serve({ coms, folders, contractLog, transport }, peer, parts);
  ({ core } = made);
  try {
    await made.core.start();
  } catch (error) {
    // A peer that answers pings but never a prompt would keep the name from one that works.
    await peer.close();
    await made.core.close();
    throw error;
  }
  begin(made);
  log.info({ peer: peer.name, project: peer.project, open: made.core.desk.openCount() }, 'ready');
  return {
    code: 'running',
    endpoint: peer.endpoint,
    close: async () => {
      await peer.close();
      await made.core.close();
    },
  };
};
