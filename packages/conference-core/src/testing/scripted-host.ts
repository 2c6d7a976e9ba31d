/**
 * A host that answers each charter with what a script says: packets, silence, failures, repeats, late and wrong
 * results. It speaks the port and nothing else.
 */
import type { Capability, Charter, DispatchId } from '@x/protocol';
import type { DelegateHost, HostMessage, RecordedIssue } from '../chair/ports.ts';

export interface ScriptedHost extends DelegateHost {
  /** Every charter that was sent, in order. */
  readonly sent: readonly {
    readonly issued: RecordedIssue;
    readonly charter: Charter;
    readonly text: string;
  }[];
  readonly cancelled: readonly DispatchId[];
  readonly closed: number;
  /** Hands over a message as if a child had sent it. */
  tell(message: HostMessage): void;
}

/** What a script answers: messages that come at once, or nothing. */
export type Script = (charter: Charter) => readonly HostMessage[];

const encoder = new TextEncoder();

/** A result with this packet as JSON. */
export function packetMessage(dispatchId: string, packet: unknown): HostMessage {
  return { message: 'result', dispatch_id: dispatchId, bytes: encoder.encode(JSON.stringify(packet)) };
}

export function scriptedHost(
  script: Script,
  capability: Capability = { delegate_task: true, slots: 4 },
): ScriptedHost {
  const sent: { issued: RecordedIssue; charter: Charter; text: string }[] = [];
  const cancelled: DispatchId[] = [];
  let listener: ((message: HostMessage) => void) | null = null;
  let closed = 0;
  return {
    name: 'scripted',
    temporaryRoots: false,
    sent,
    cancelled,
    get closed() {
      return closed;
    },
    tell: (message) => listener?.(message),
    capability: () => Promise.resolve(capability),
    attach: (given) => {
      listener = given;
    },
    delegate: (issued, { charter, text }) => {
      sent.push({ issued, charter, text });
      for (const message of script(charter)) listener?.(message);
    },
    cancel: (ended) => void cancelled.push(ended.payload.dispatch_id),
    close: () => {
      closed += 1;
      return Promise.resolve();
    },
  };
}
