/** What `init` knows about a conference to be: from flags, from questions, or from a template. */
import type { GateField, GateList } from '@x/conference-core';

export interface Answers {
  readonly values: Readonly<Partial<Record<GateField, string>>>;
  readonly lists: Readonly<Partial<Record<GateList, readonly string[]>>>;
  /** By lane letter. */
  readonly focus: Readonly<Record<string, string>>;
}

export const NO_ANSWERS: Answers = { values: {}, lists: {}, focus: {} };

/** `over` where it says something, else `under`; a list is taken whole. */
export function overlaid(under: Answers, over: Answers): Answers {
  return {
    values: { ...under.values, ...over.values },
    lists: { ...under.lists, ...over.lists },
    focus: { ...under.focus, ...over.focus },
  };
}

export function isEmpty({ values, lists, focus }: Answers): boolean {
  return [values, lists, focus].every((part) => Object.keys(part).length === 0);
}
