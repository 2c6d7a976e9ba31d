/** The levels of the operational log, apart from the library so that help needs not load it. */
export const logLevelNames = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevelNames)[number];
