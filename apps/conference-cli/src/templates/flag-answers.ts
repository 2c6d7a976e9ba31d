/**
 * The flags of `init`: one for each field of the start gate, and what was given by them. Read at every start of the
 * command, so it loads nothing of the core.
 */
import { isAbsolute, relative, resolve } from 'node:path';
import type { GateField, GateList } from '@x/conference-core';
import type { Answers } from './answers.ts';

/** What each field is, in the order of the file. Complete by its type. */
const FIELD_BRIEFS: Readonly<Record<GateField, string>> = {
  goal: 'What is to be found out',
  mode: 'metric or qualitative',
  metric: 'Name that every measurement carries',
  target: 'Target, such as >= 95%',
  direction: 'maximize or minimize',
  lanes: 'Number of lanes',
  iterations_per_round: 'Iterations a round and lane',
  max_rounds: 'Rounds at most',
  contrarian: 'Whether the last lane argues against the others: yes or no',
  strategy: 'assigned or free',
  researcher_timeout: 'How long a researcher may take, such as 10m',
  poster_timeout: "How long the poster may take (default: a researcher's)",
  reviewer_timeout: "How long the reviewer may take (default: a researcher's)",
  synthesis_timeout: "How long the synthesis may take (default: a researcher's)",
  max_total_iterations: 'Iterations of all lanes and rounds at most',
  time_budget: 'Time budget, such as 2h',
  cost_budget: 'Cost budget, where the host reports cost',
  pause_every: 'never, every_round or every_N_rounds',
  write_root: 'Folder that files are to be written in; makes a grant required',
  order: 'Order of the convergence rules: core or guide',
  plateau_window: 'Rounds without improvement that make a plateau',
  noise_threshold: 'What an improvement must exceed, such as 0.5 or 1%',
  early_quality: 'Whether one very good round ends it: yes or no',
  stuck_level: 'Level from which a lane counts as stalled',
  quality_score: 'Score that meets the criteria',
  early_quality_score: 'Score of a very good round',
  noise_runs: 'How often a measurement is repeated',
  min_consensus_delta: 'Difference below which results agree',
};

/** `max_rounds` is `maxRounds`, on the command line `--max-rounds`. */
function flagOf(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export const FIELD_FLAGS: readonly {
  readonly flag: string;
  readonly field: GateField;
  readonly brief: string;
}[] =
  // The keys of the record of fields.
  (Object.keys(FIELD_BRIEFS) as GateField[]).map((field) => ({
    flag: flagOf(field),
    field,
    brief: FIELD_BRIEFS[field],
  }));

export const LIST_FLAGS: readonly {
  readonly flag: string;
  readonly list: GateList;
  readonly brief: string;
  readonly isRoot?: true;
}[] = [
  { flag: 'criterion', list: 'criteria', brief: 'A success criterion; may be repeated' },
  { flag: 'allow', list: 'allowed_actions', brief: 'An allowed change; may be repeated' },
  { flag: 'forbid', list: 'forbidden_actions', brief: 'A forbidden change, or none; may be repeated' },
  {
    flag: 'forbidAction',
    list: 'more_forbidden_actions',
    brief: 'A forbidden action besides; may be repeated',
  },
  {
    flag: 'readRoot',
    list: 'allowed_read_roots',
    brief: 'What lanes may read; may be repeated',
    isRoot: true,
  },
  {
    flag: 'forbidReadRoot',
    list: 'forbidden_read_roots',
    brief: 'What they may not read; may be repeated',
    isRoot: true,
  },
  { flag: 'guard', list: 'guard', brief: 'What must hold whatever is tried; may be repeated' },
];

export type InitFieldFlags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** `folder`: where the file will lie, since its roots are relative to it; those on a command line are to `cwd`. */
export function answersOf(flags: InitFieldFlags, { cwd, folder }: { cwd: string; folder: string }): Answers {
  const root = (text: string): string =>
    text.toLowerCase() === 'none' || isAbsolute(text) ? text : relative(folder, resolve(cwd, text)) || '.';
  const values: Partial<Record<GateField, string>> = {};
  for (const { flag, field } of FIELD_FLAGS) {
    const given = flags[flag];
    if (typeof given === 'string')
      values[field] = field === 'write_root' ? root(oneLine(given)) : oneLine(given);
  }
  const lists: Partial<Record<GateList, readonly string[]>> = {};
  for (const { flag, list, isRoot } of LIST_FLAGS) {
    const given = flags[flag];
    if (!Array.isArray(given) || given.length === 0) continue;
    const entries = given.map((entry: unknown) => oneLine(String(entry)));
    lists[list] = isRoot === true ? entries.map(root) : entries;
  }
  return { values, lists, focus: focusOf(flags['focus']) };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const FOCUS = /^([A-Za-z]{1,3})=(.+)$/s;

/** `A=caching`. */
export function parseFocus(text: string): string {
  if (!FOCUS.test(text)) throw new SyntaxError(`${text} is no focus; accepted: A=what lane A looks at`);
  return text;
}

function focusOf(given: InitFieldFlags[string]): Record<string, string> {
  const focus: Record<string, string> = {};
  for (const one of Array.isArray(given) ? given : []) {
    const [, lane = '', text = ''] = FOCUS.exec(String(one)) ?? [];
    focus[lane.toUpperCase()] = oneLine(text);
  }
  return focus;
}
