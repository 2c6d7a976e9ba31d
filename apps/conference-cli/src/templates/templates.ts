/** Kinds of conferences to start from. What only the user can know is left open, and becomes a placeholder. */
import type { Answers } from './answers.ts';

export interface Template {
  readonly brief: string;
  readonly answers: Answers;
}

export const TEMPLATE_NAMES = ['quick', 'metric', 'qualitative', 'debate', 'survey'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  quick: {
    brief: 'two lanes, two short rounds, one number to move',
    answers: {
      values: {
        mode: 'metric',
        lanes: '2',
        iterations_per_round: '2',
        max_rounds: '2',
        contrarian: 'no',
        researcher_timeout: '10m',
      },
      lists: {},
      focus: {},
    },
  },
  metric: {
    brief: 'three lanes, one of them contrarian, a number to move and a plateau to stop at',
    answers: {
      values: {
        mode: 'metric',
        lanes: '3',
        iterations_per_round: '4',
        max_rounds: '6',
        contrarian: 'yes',
        strategy: 'free',
        researcher_timeout: '20m',
        time_budget: '4h',
        pause_every: 'never',
        order: 'core',
        plateau_window: '2',
      },
      lists: { guard: ['What works today still works.'] },
      focus: {},
    },
  },
  qualitative: {
    brief: 'three lanes, one of them contrarian, scored by a reviewer against your criteria',
    answers: {
      values: {
        mode: 'qualitative',
        lanes: '3',
        iterations_per_round: '2',
        max_rounds: '4',
        contrarian: 'yes',
        strategy: 'free',
        researcher_timeout: '20m',
        time_budget: '4h',
        pause_every: 'never',
        order: 'core',
        plateau_window: '2',
        quality_score: '8',
      },
      lists: {},
      focus: {},
    },
  },
  debate: {
    brief: 'a lane for, a lane against and a contrarian one, on a question that has two sides',
    answers: {
      values: {
        mode: 'qualitative',
        lanes: '3',
        iterations_per_round: '2',
        max_rounds: '3',
        contrarian: 'yes',
        strategy: 'assigned',
        researcher_timeout: '15m',
        time_budget: '2h',
        pause_every: 'every_round',
      },
      lists: {
        criteria: [
          'Every argument names evidence that somebody else can look up.',
          'The strongest objection of the other side is stated fairly, and answered or granted.',
          'What would change the answer is said.',
        ],
        allowed_actions: ['read the evidence', 'argue from it', 'grant a point'],
        forbidden_actions: ['change any file', 'take an opinion for evidence', 'argue against a person'],
      },
      focus: {
        A: 'Make the best case for it.',
        B: 'Make the best case against it.',
        C: 'Doubt that it is the right question: what do both sides take for granted?',
      },
    },
  },
  survey: {
    brief: 'four lanes that each cover a part of a field, one pass and one to close gaps',
    answers: {
      values: {
        mode: 'qualitative',
        lanes: '4',
        iterations_per_round: '3',
        max_rounds: '2',
        contrarian: 'no',
        strategy: 'assigned',
        researcher_timeout: '30m',
        time_budget: '4h',
        pause_every: 'never',
      },
      lists: {
        criteria: [
          'The field is covered: what is left out is named, with the reason.',
          'Each statement is traced to a source.',
          'Sources that disagree are set side by side.',
        ],
        allowed_actions: ['read the evidence', 'summarize', 'compare'],
        forbidden_actions: ['change any file', 'state what no source says'],
      },
      focus: {
        A: 'Terms, scope and history: what is meant by what.',
        B: 'Approaches: how each works, and what it needs.',
        C: 'Results: numbers, how they were measured, and whether they compare.',
        D: 'Gaps: open questions, contradictions, and what nobody has tried.',
      },
    },
  },
};
