/** 0 done, 1 it failed or was refused, 2 the command line is wrong. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;
