/** Which host a `--host` names (07 Hosts). No provider or model is chosen anywhere. */
import type { DelegateHost, Clock } from '@x/conference-core/chair';
import type { ConferenceId, DispatchId } from '@x/protocol';
import { systemClock } from '../clock.ts';
import { usage, type Failure } from '../output.ts';
import { createExecHost } from './exec/exec-host.ts';
import { splitCommand } from './exec/split-command.ts';
import type { Replay } from './replay/replay.ts';

/** What a `--host` resolves to, before a conference is there. */
export type HostChoice =
  | {
      readonly ok: true;
      readonly kind: 'exec';
      readonly words: readonly [string, ...string[]];
    }
  | { readonly ok: true; readonly kind: 'replay'; readonly replay: Replay }
  | { readonly ok: false; readonly failure: Failure };

export async function chooseHost(text: string, cwd: string): Promise<HostChoice> {
  const [kind, ...rest] = text.split(':');
  const value = rest.join(':');
  if (kind === 'exec') {
    const command = splitCommand(value, cwd);
    if (!command.ok) return { ok: false, failure: usage('HOST_INVALID', command.message) };
    return { ok: true, kind: 'exec', words: command.words };
  }
  if (kind === 'replay') {
    const { openReplay } = await import('./replay/replay.ts');
    const opened = await openReplay(value, cwd);
    if (!opened.ok) return { ok: false, failure: opened.failure };
    return { ok: true, kind: 'replay', replay: opened.replay };
  }
  const message = `--host ${JSON.stringify(text)} names no host; accepted are exec:<command> and replay:<folder>`;
  return { ok: false, failure: usage('HOST_INVALID', message) };
}

export interface HostSession {
  readonly host: DelegateHost;
  readonly clock: Clock;
}

/** The host and the clock of a run. */
export function openHost(
  choice: Extract<HostChoice, { ok: true }>,
  options: {
    readonly slots: number;
    readonly conferenceId: ConferenceId;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly passEnv: readonly string[];
    readonly onDiagnostics: (dispatchId: DispatchId, text: string) => void;
  },
): HostSession {
  if (choice.kind === 'exec')
    return { host: createExecHost({ ...options, words: choice.words }), clock: systemClock };
  return { host: choice.replay.host(options.slots), clock: choice.replay.clock };
}
