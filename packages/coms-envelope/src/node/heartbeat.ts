/**
 * Keeps our registry entry fresh, and notices when our place is lost (04 Registry).
 *
 * H1 An entry that was removed is written again; one of another process that answers is left alone.
 */
import type { RegistryEntry } from '../entry.ts';
import type { ComsLimits } from '../limits.ts';
import { cardDetails } from './answer.ts';
import type { Coms } from './coms-folder.ts';
import type { PeerHandlers } from './handlers.ts';
import { judgeEndpoint, probe } from './probe.ts';
import { lookUp, writeEntry } from './registry.ts';
import type { SocketServer } from './socket-server.ts';

interface HeartbeatParts {
  readonly coms: Coms;
  readonly project: string;
  readonly entry: RegistryEntry;
  readonly handlers: PeerHandlers;
  readonly limits: ComsLimits;
  readonly server: SocketServer;
}

/** The entry with the living fields of the card, as of now. */
export function freshEntry(entry: RegistryEntry, handlers: PeerHandlers): RegistryEntry {
  const { queue_depth = 0, context_used_pct = 0 } = cardDetails(handlers);
  return { ...entry, queue_depth, context_used_pct, heartbeat_at: new Date().toISOString() };
}

async function otherOwner(parts: HeartbeatParts): Promise<RegistryEntry | null> {
  const { coms, project, entry, limits } = parts;
  const found = lookUp(coms, project, entry.name);
  if (found.kind !== 'entry' || found.entry.session_id === entry.session_id) return null;
  const judged = judgeEndpoint(coms, found.entry.endpoint);
  const answers = judged.ok && (await probe(judged.path, limits.probeTimeoutMs)) === 'answers';
  return answers ? found.entry : null;
}

export interface Heartbeat {
  /** Refreshes the entry now. Never rejects. */
  beat(): Promise<void>;
  stop(): void;
}

export function startHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { coms, project, entry, handlers, limits, server } = parts;
  let stopped = false;
  async function beat(): Promise<void> {
    if (!server.ownsPath()) {
      handlers.fault?.({ code: 'SOCKET_LOST', message: `${server.endpoint} is gone or was replaced` });
    }
    const other = await otherOwner(parts);
    if (stopped) return;
    if (other !== null) {
      const holder = `session ${other.session_id}, process ${other.pid}`;
      handlers.fault?.({ code: 'NAME_LOST', message: `${entry.name} is registered by ${holder} now` });
      return;
    }
    try {
      writeEntry(coms, project, freshEntry(entry, handlers));
    } catch (cause) {
      handlers.fault?.({
        code: 'HEARTBEAT_FAILED',
        message: 'the registry entry could not be written',
        cause,
      });
    }
  }
  // Only the program's own fault handler can throw in there, and a foreign entry must not end the process by it.
  const beatSafely = (): Promise<void> => beat().catch(() => undefined);
  const timer = setInterval(() => void beatSafely(), limits.heartbeatMs).unref();
  return {
    beat: beatSafely,
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
