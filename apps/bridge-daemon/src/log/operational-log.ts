/** What operators read: pino on stderr, written at once, without worker threads so that the bundle stays one file. */
import { pino, type Logger } from 'pino';

import type { LogLevel } from '../cli/log-levels.ts';
export type { Logger };

export const openOperationalLog = (level: LogLevel): Logger => {
  const stderr = pino.destination({ fd: 2, sync: true });
  // A closed stderr must not end the daemon.
  stderr.on('error', () => undefined);
  return pino({ name: 'bridge-daemon', level }, stderr);
};
