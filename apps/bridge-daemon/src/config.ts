/** What the daemon runs with, complete: nothing below knows of flags or of "not given". */
import type { LogLevel } from './cli/log-levels.ts';
import type { TelegramSettings } from './transport/telegram/open-telegram.ts';

/** How questions reach the person. */
export type Channel =
  | {
      readonly transport: 'hermes';
      readonly to: string;
      readonly profile: string | null;
      /** A run of hermes is ended after this. */
      readonly runMs: number;
    }
  | { readonly transport: 'telegram'; readonly settings: TelegramSettings };

export interface DaemonConfig {
  readonly name: string;
  readonly project: string;
  readonly channel: Channel;
  /** `--timeout`; null where not given. */
  readonly timeoutMs: number | null;
  readonly pollMs: number;
  readonly questionsDir: string;
  readonly logLevel: LogLevel;
  /** The program of the process that starts programs. */
  readonly workerText: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
