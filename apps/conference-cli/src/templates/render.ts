/**
 * A conference.md from answers (03 conference.md). What is required and not answered stands there as a placeholder `{…}`
 * that says what would be accepted, so that `plan` asks for it.
 *
 * T1 What is written reads back as it was given: a text that Markdown would change is written as code.
 */
import type { GateField, GateList } from '@x/conference-core';
import { readConferenceMd } from '../conference-md/read-conference-md.ts';
import { LOG_COLUMNS } from '../conference-md/update-conference-md.ts';
import type { Answers } from './answers.ts';

interface Line {
  readonly label: string;
  readonly of: { readonly field: GateField } | { readonly list: GateList };
  /** What stands there without an answer; without one the line is left out. */
  readonly open?: string;
}

interface SectionForm {
  readonly title: string;
  /** For the person who fills it in; a reader passes over it. */
  readonly comment?: string;
  readonly mode?: 'metric' | 'qualitative';
  readonly lines: readonly Line[];
}

const line = (label: string, field: GateField, open?: string): Line => ({
  label,
  of: { field },
  ...(open === undefined ? {} : { open }),
});
const list = (label: string, name: GateList, open?: string): Line => ({
  label,
  of: { list: name },
  ...(open === undefined ? {} : { open }),
});

/** The keyed sections in order; those without a line that stands are left out. */
const FORMS: readonly SectionForm[] = [
  {
    title: 'Success Metric',
    mode: 'metric',
    lines: [
      line('Metric', 'metric', 'the name that every measurement carries'),
      line('Target', 'target', 'a number with comparator and unit, such as >= 95% or < 50ms'),
      line('Direction', 'direction', 'maximize or minimize'),
    ],
  },
  {
    title: 'Researchers',
    comment: 'Whole numbers without remarks. The budget is their product, and is shown before anything runs.',
    lines: [
      line('Count', 'lanes', 'how many lanes'),
      line('Iterations per round', 'iterations_per_round', 'how many attempts a lane has in a round'),
      line('Max rounds', 'max_rounds', 'how many rounds at most'),
    ],
  },
  {
    title: 'Pre-Flight Gate',
    comment: 'Yes makes the last lane argue against the others. Nothing in this file confirms the plan.',
    lines: [line("Critic / Devil's Advocate", 'contrarian', 'yes or no')],
  },
  {
    title: 'Search Space',
    comment: 'One entry or several, parted by semicolons or as bullets below; none says that there is none.',
    lines: [
      list('Allowed changes', 'allowed_actions', 'what the lanes may try'),
      list('Forbidden changes', 'forbidden_actions', 'what they must leave alone, or none'),
    ],
  },
  { title: 'Search Space Partitioning', lines: [line('Strategy', 'strategy')] },
  {
    title: 'Noise Handling',
    lines: [line('Noise runs', 'noise_runs'), line('Min consensus delta', 'min_consensus_delta')],
  },
  {
    title: 'Constraints',
    lines: [
      line('Max total iterations', 'max_total_iterations'),
      line('Time budget', 'time_budget'),
      line('Cost budget', 'cost_budget'),
      line('Researcher timeout', 'researcher_timeout', 'how long one child may take, such as 10m'),
      line('Poster timeout', 'poster_timeout'),
      line('Reviewer timeout', 'reviewer_timeout'),
      line('Synthesis timeout', 'synthesis_timeout'),
      line('pause_every', 'pause_every'),
      list('Allowed read roots', 'allowed_read_roots'),
      list('Forbidden read roots', 'forbidden_read_roots'),
      line('Write root', 'write_root'),
      list('Forbidden actions', 'more_forbidden_actions'),
    ],
  },
  {
    title: 'Convergence',
    lines: [
      line('Order', 'order'),
      line('Plateau window', 'plateau_window'),
      line('Noise threshold', 'noise_threshold'),
      line('Early quality', 'early_quality'),
      line('Stuck level', 'stuck_level'),
      line('Quality score', 'quality_score'),
      line('Early quality score', 'early_quality_score'),
    ],
  },
];

/** Prose that round 1 quotes; in italics it counts as empty. */
const PROSE: readonly (readonly [title: string, open: string])[] = [
  ['Current Approach', 'Describe how it is done today, or leave this line.'],
  ['Shared Knowledge', 'Say what is known already, or leave this line.'],
  ['Context & References', 'List what the lanes should know of, or leave this line.'],
];

export function renderConferenceMd(answers: Answers): string {
  const { values, lists } = answers;
  const mode = values.mode;
  const before = FORMS.slice(0, 1).flatMap((form) => formBlocks(form, answers));
  const criteria =
    mode === 'metric' && lists.criteria === undefined
      ? []
      : listSection(
          'Success Criteria',
          lists.criteria ?? [placeholder('what a reviewer can score from 1 to 10')],
        );
  const after = FORMS.slice(1).flatMap((form) => formBlocks(form, answers));
  const log = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const blocks = [
    '# Conference',
    '## Goal',
    goalBlock(values.goal),
    '## Mode',
    mode ?? placeholder('metric or qualitative'),
    ...before,
    ...criteria,
    ...after,
    ...PROSE.flatMap(([title, open]) => [`## ${title}`, `_${open}_`]),
    '---',
    '## Conference Log',
    `${log(LOG_COLUMNS)}\n${log(LOG_COLUMNS.map(() => '---'))}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function placeholder(text: string): string {
  return `{${text}}`;
}

function formBlocks(form: SectionForm, answers: Answers): string[] {
  const { title, comment, mode, lines } = form;
  if (mode !== undefined && answers.values.mode !== undefined && answers.values.mode !== mode) {
    // Still written where the user gave something for it.
    if (!lines.some(({ of }) => 'field' in of && answers.values[of.field] !== undefined)) return [];
  }
  const bullets = lines.flatMap((one) => bulletLines(title, one, answers));
  const focus = title === 'Search Space Partitioning' ? focusBlocks(answers) : [];
  const guard = title === 'Search Space Partitioning' ? listSection('Guard', answers.lists.guard ?? []) : [];
  const own =
    bullets.length + focus.length === 0
      ? []
      : [
          `## ${title}`,
          ...(comment === undefined ? [] : [`<!-- ${comment} -->`]),
          ...(bullets.length === 0 ? [] : [bullets.join('\n')]),
          ...focus,
        ];
  return [...own, ...guard];
}

function bulletLines(title: string, { label, of, open }: Line, { values, lists }: Answers): string[] {
  if ('field' in of) {
    const given = values[of.field];
    if (given !== undefined) return [`- **${label}:** ${value(`## ${title}\n\n- **${label}:**`, given)}`];
  } else {
    const entries = lists[of.list];
    if (entries !== undefined && entries.length > 0) {
      const heading = `## ${title}\n\n- **${label}:**`;
      const [only] = entries;
      if (entries.length === 1 && only !== undefined && !only.includes(';')) {
        return [`- **${label}:** ${value(heading, only)}`];
      }
      return [`- **${label}:**`, ...entries.map((entry) => `  - ${value(`${heading}\n  -`, entry)}`)];
    }
  }
  return open === undefined ? [] : [`- **${label}:** ${placeholder(open)}`];
}

function listSection(title: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  return [`## ${title}`, entries.map((entry) => `- ${value(`## ${title}\n\n-`, entry)}`).join('\n')];
}

function focusBlocks({ focus }: Answers): string[] {
  return Object.entries(focus).flatMap(([lane, text]) => [`### Researcher ${lane} Focus`, text]);
}

function goalBlock(goal: string | undefined): string {
  if (goal === undefined) return placeholder('what the conference is to find out, in a sentence');
  if (readsBack('## Goal\n\n', goal, goal)) return goal;
  return `- **Goal:** ${value('## Goal\n\n- **Goal:**', goal)}`;
}

/** T1: as it is, or as code. A text that neither keeps is refused by whoever reads the whole file back. */
function value(before: string, text: string): string {
  return readsBack(`${before} `, text, text) ? text : code(text);
}

/** Within as many backticks as it takes. */
function code(text: string): string {
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length);
  const ticks = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

function readsBack(before: string, written: string, text: string): boolean {
  const { input } = readConferenceMd(`${before}${written}\n`, null);
  const found = [...Object.values(input.values), ...Object.values(input.lists)].flat();
  return found.length === 1 && found[0]?.text === text;
}
