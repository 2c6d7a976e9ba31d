/** What the daemon runs with, complete: nothing below knows of flags or of "not given". */
import type { LogLevel } from './cli/log-levels.ts';

export interface DaemonConfig {
  readonly name: string;
  readonly project: string;
  readonly to: string;
  /** `--timeout`; null where not given. */
  readonly timeoutMs: number | null;
  readonly pollMs: number;
  readonly questionsDir: string;
  readonly hermesProfile: string | null;
  /** A run of the transport's program is ended after this. */
  readonly runMs: number;
  readonly logLevel: LogLevel;
  /** The bundled file itself, from which the thread for processes starts. */
  readonly script: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
}
