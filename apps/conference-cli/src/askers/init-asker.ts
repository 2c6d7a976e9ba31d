/** The questions of the start gate at a terminal. Loaded only when there is one; what flags gave is not asked again. */
import { intro, isCancel, outro, select, text } from '@clack/prompts';
import { GATE_FIELDS, startGate, type GateField, type GateList } from '@x/conference-core';
import type { Answers } from '../templates/answers.ts';

interface Question {
  readonly of: { readonly field: GateField } | { readonly list: GateList };
  readonly message: string;
  readonly placeholder?: string;
  /** What Enter alone answers. */
  readonly suggestion?: string;
  readonly choices?: readonly string[];
  readonly mode?: 'metric' | 'qualitative';
}

const QUESTIONS: readonly Question[] = [
  { of: { field: 'goal' }, message: 'What is the conference to find out?' },
  { of: { field: 'mode' }, message: 'How is success judged?', choices: ['metric', 'qualitative'] },
  {
    of: { field: 'metric' },
    message: 'Which metric? The name that every measurement carries.',
    mode: 'metric',
  },
  { of: { field: 'target' }, message: 'Which target?', placeholder: '>= 95%, < 50ms', mode: 'metric' },
  {
    of: { field: 'direction' },
    message: 'Which direction is better?',
    choices: ['maximize', 'minimize'],
    mode: 'metric',
  },
  {
    of: { list: 'criteria' },
    message: 'Which criteria does the reviewer score from 1 to 10? Part them by semicolons.',
    mode: 'qualitative',
  },
  { of: { field: 'lanes' }, message: 'How many lanes?', suggestion: '3' },
  {
    of: { field: 'iterations_per_round' },
    message: 'How many iterations a round and lane?',
    suggestion: '3',
  },
  { of: { field: 'max_rounds' }, message: 'How many rounds at most?', suggestion: '4' },
  {
    of: { field: 'contrarian' },
    message: 'Shall the last lane argue against the others?',
    choices: ['no', 'yes'],
  },
  { of: { list: 'allowed_actions' }, message: 'What may the lanes try? Part entries by semicolons.' },
  { of: { list: 'forbidden_actions' }, message: 'What must they leave alone?', suggestion: 'none' },
  { of: { field: 'researcher_timeout' }, message: 'How long may one child take?', suggestion: '10m' },
];

/** Null: the person left, and nothing is to be written. */
export async function askAnswers(given: Answers): Promise<Answers | null> {
  intro('A conference.md from a few answers. Ctrl-C leaves without writing.');
  const values: Partial<Record<GateField, string>> = { ...given.values };
  const lists: Partial<Record<GateList, readonly string[]>> = { ...given.lists };
  for (const question of QUESTIONS) {
    const { of, mode } = question;
    if (mode !== undefined && values.mode !== undefined && values.mode !== mode) continue;
    if ('field' in of ? values[of.field] !== undefined : lists[of.list] !== undefined) continue;
    const answer = await ask(question, values.lanes);
    if (answer === null) return null;
    if ('field' in of) values[of.field] = answer;
    else lists[of.list] = entriesOf(answer);
  }
  outro('Thank you.');
  return { values, lists, focus: {} };
}

async function ask(question: Question, lanes: string | undefined): Promise<string | null> {
  const { of, message, choices, suggestion, placeholder } = question;
  if (choices !== undefined) {
    // A contrarian lane is one of the configured ones, and needs a second to argue against.
    const open = 'field' in of && of.field === 'contrarian' && lanes === '1' ? ['no'] : choices;
    const chosen = await select<string>({ message, options: open.map((value) => ({ value, label: value })) });
    return isCancel(chosen) ? null : chosen;
  }
  const hint = placeholder ?? suggestion;
  const answer = await text({
    message,
    ...(hint === undefined ? {} : { placeholder: hint }),
    ...(suggestion === undefined ? {} : { defaultValue: suggestion }),
    validate: (typed) => problemOf(of, (typed ?? '').trim() === '' ? (suggestion ?? '') : (typed ?? '')),
  });
  return isCancel(answer) ? null : answer.replace(/\s+/g, ' ').trim();
}

function entriesOf(answer: string): string[] {
  return answer
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** What the gate would say of this answer; undefined: nothing. */
function problemOf(of: Question['of'], typed: string): string | undefined {
  if ('list' in of) return entriesOf(typed).length > 0 ? undefined : 'at least one entry';
  const place = 'your answer';
  const probe = { mode: [{ text: 'metric', place }], [of.field]: [{ text: typed, place }] };
  const gate = startGate({ values: probe, lists: {}, focus: {} });
  const finding = gate.complete
    ? undefined
    : gate.findings.find(({ field }) => field === GATE_FIELDS[of.field]);
  return finding === undefined ? undefined : `accepted: ${finding.accepted}`;
}
