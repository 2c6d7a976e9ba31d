/**
 * The first thing wrong with a value, in words. The small build of the schema library has no texts of its own.
 */
import type { $ZodIssue } from 'zod/v4/core';

function expectation(issue: $ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : issue.message;
    case 'invalid_union':
      return 'is of none of the accepted types';
    default:
      return issue.message;
  }
}

/** `field <path>: <what is expected>`; without a field where the value as a whole is wrong. */
export function issueText(issues: readonly $ZodIssue[]): string {
  const issue = issues[0];
  if (issue === undefined) return 'not as expected';
  const expected = expectation(issue);
  return issue.path.length === 0 ? expected : `field ${issue.path.join('.')}: ${expected}`;
}
