/** A folded state as text, to be compared whole: maps as their entries. */
import type { State } from '@x/conference-core';

export function stateText(state: State): string {
  return JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}
