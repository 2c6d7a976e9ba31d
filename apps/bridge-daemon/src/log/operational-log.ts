/** What operators read: pino on stderr, written at once, without worker threads so that the bundle stays one file. */
import { pino, type Logger } from 'pino';

import type { LogLevel } from '../cli/log-levels.ts';
export type { Logger };

/** `clean`: what every line goes through last, so that no field of any error carries a secret past it. */
export const openOperationalLog = (level: LogLevel, clean?: (line: string) => string): Logger => {
  const stderr = pino.destination({ fd: 2, sync: true });
  // A closed stderr must not end the daemon.
  stderr.on('error', () => undefined);
  const stream = clean === undefined ? stderr : { write: (line: string) => stderr.write(clean(line)) };
  return pino({ name: 'bridge-daemon', level }, stream);
};
