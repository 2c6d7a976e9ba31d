/** The start gate in words: what is missing, or the conditions with budget and digest. */
import { conditionsOf, type GateFinding } from '@x/conference-core';
import type { Plan } from '@x/protocol';
import { terminalText } from './terminal-text.ts';

export function findingsText(findings: readonly GateFinding[]): string {
  const lines = findings.map(({ field, problem, found, accepted, places }) => {
    const at = places.length === 0 ? '' : ` (${places.join(', ')})`;
    const shown = found === '' ? 'nothing' : `"${terminalText(found)}"`;
    return `  ${field}${at}\n    ${problem}: found ${shown}\n    accepted: ${accepted}`;
  });
  const count = findings.length === 1 ? 'one value is' : `${findings.length} values are`;
  return `The plan is not complete: ${count} missing or vague.\n${lines.join('\n')}\n`;
}

export function conditionsText(plan: Plan, planDigest: string): string {
  const rows = conditionsOf(plan);
  const width = Math.max(...rows.map(({ label }) => label.length));
  const lines = rows.map(({ label, value }) => `  ${label.padEnd(width)}  ${terminalText(value)}`);
  return `Conditions\n${lines.join('\n')}\n\nPlan digest ${planDigest}\n`;
}
