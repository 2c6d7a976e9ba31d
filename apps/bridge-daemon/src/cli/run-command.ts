/** `bridge-daemon [flags]`: the daemon in the foreground, until a signal ends it. */
import { buildCommand } from '@stricli/core';
import { parseFilled, parseHermesArgument, parsePoll, parseTimeout } from './flag-values.ts';
import type { CliContext } from './context.ts';
import { logLevelNames } from './log-levels.ts';

/** One line a transport; `--transport` takes these and no others. */
export const transportNames = ['hermes', 'telegram'] as const;

export interface RunFlags {
  readonly name: string;
  readonly project: string;
  readonly to: string;
  readonly timeout?: number;
  readonly pollMs: number;
  readonly questionsDir?: string;
  readonly transport: (typeof transportNames)[number];
  readonly hermesProfile?: string;
  readonly allowUser?: readonly string[];
  readonly logLevel: (typeof logLevelNames)[number];
}

export const nameFlag = {
  kind: 'parsed',
  parse: String,
  default: 'user-remote',
  brief: 'Name of this peer in the registry',
  placeholder: 'name',
} as const;

export const projectFlag = {
  kind: 'parsed',
  parse: String,
  default: 'default',
  brief: 'coms project whose peers may ask',
  placeholder: 'project',
} as const;

export const runCommand = buildCommand<RunFlags, [], CliContext>({
  loader: async () => {
    const { run } = await import('./run.ts');
    return function start(this: CliContext, flags) {
      return run(this, flags);
    };
  },
  parameters: {
    flags: {
      name: nameFlag,
      project: projectFlag,
      to: {
        kind: 'parsed',
        parse: parseHermesArgument,
        default: 'telegram',
        brief:
          'Where questions go: the target of hermes send, or with transport telegram telegram:<chat>[:<topic>]',
        placeholder: 'target',
      },
      timeout: {
        kind: 'parsed',
        parse: parseTimeout,
        optional: true,
        brief: 'Longest wait for an answer in milliseconds (else PI_COMS_TIMEOUT_MS, else 1800000)',
        placeholder: 'ms',
      },
      pollMs: {
        kind: 'parsed',
        parse: parsePoll,
        default: '1000',
        brief: 'How often the questions folder is looked through beside being watched',
        placeholder: 'ms',
      },
      questionsDir: {
        kind: 'parsed',
        parse: parseFilled,
        optional: true,
        brief: 'Folder of answer files; its parent keeps the state (else ~/.pi/coms/hermes-bridge/questions)',
        placeholder: 'dir',
      },
      transport: {
        kind: 'enum',
        values: transportNames,
        default: 'hermes',
        brief: 'How questions reach the person',
      },
      hermesProfile: {
        kind: 'parsed',
        parse: parseHermesArgument,
        optional: true,
        brief: 'Profile passed to hermes',
        placeholder: 'profile',
      },
      allowUser: {
        kind: 'parsed',
        parse: parseFilled,
        variadic: true,
        optional: true,
        brief:
          'Telegram user who may answer, by number; may be repeated. With transport hermes the gateway decides, and this is refused',
        placeholder: 'id',
      },
      logLevel: {
        kind: 'enum',
        values: logLevelNames,
        default: 'info',
        brief: 'What goes to stderr',
      },
    },
  },
  docs: { brief: 'Run the bridge in the foreground' },
});
