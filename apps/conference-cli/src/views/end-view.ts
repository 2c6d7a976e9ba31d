/** How a run ended, in words, and what to do next. */
import type { State } from '@x/conference-core';
import type { RunEnd } from '@x/conference-core/chair';
import { table } from './table.ts';
import { terminalText } from './terminal-text.ts';

export function endText(state: State, end: RunEnd, folder: string | null): string {
  const where = folder ?? '.';
  switch (end.end) {
    case 'done': {
      const files = [...state.artifacts.keys()]
        .toSorted()
        .map((path) => `  ${where}/${path}\n`)
        .join('');
      return `\n${end.outcome}, target_met: ${end.target_met}, ${state.rounds.length} rounds, ${state.iterations_spent} iterations.\n${files}`;
    }
    case 'asked': {
      const { decision_id, question, options } = end.decision;
      const rows = options.map(({ id, label, consequence }) => [id, label, consequence]);
      return `\nYou are asked (decision ${decision_id}):\n${terminalText(question)}\n${table(rows)}${nextCommands(decision_id, folder)}`;
    }
    case 'interrupted':
      return folder === null
        ? '\nInterrupted. Without a grant nothing was kept.\n'
        : `\nInterrupted. What is recorded stands; to go on: conference run --resume ${folder} --host <host>\n`;
    default:
      return '';
  }
}

/** What to type now. Without a folder there is nothing that could go on. */
function nextCommands(decisionId: string, folder: string | null): string {
  if (folder === null)
    return 'Without a grant nothing was kept: run again with --write-to DIR to be able to answer.\n';
  return `Answer, and go on:\n  conference decide ${folder} ${decisionId} <option>\n  conference run --resume ${folder} --host <host>\n`;
}
