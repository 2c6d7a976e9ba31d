/** A Chair that can only be asked: its ledger is an empty one in memory, its content cannot be written. */
import { realpathSync } from 'node:fs';
import type { State } from '@x/conference-core';
import { openChair, type Chair } from '@x/conference-core/chair';
import { memoryLedger } from '@x/ledger';
import { systemClock } from '../clock.ts';
import { readingContent } from './reading-content.ts';

export function readingChair(
  folder: string,
  state: State,
): { readonly chair: Chair; readonly close: () => void } {
  const { objects, packets, close } = readingContent(realpathSync(folder));
  const scanner = { name: 'none', version: '0', scan: () => Promise.resolve([]) };
  return {
    chair: openChair({ ledger: memoryLedger(), objects, packets, clock: systemClock, scanner }, state),
    close,
  };
}
