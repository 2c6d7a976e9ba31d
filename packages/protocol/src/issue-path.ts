/** How a schema's finding is told to a person: path, what was expected, never the value that was found. */
import type * as z from 'zod';

/** `$.rounds[1].lanes[0].status`: where in a document something stands. */
export function documentPath(path: readonly PropertyKey[]): string {
  let text = '$';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(String(part))) text += `.${String(part)}`;
    else text += `[${JSON.stringify(String(part))}]`;
  }
  return text;
}

/** What a union of plain values accepts; empty for any other union. */
function optionsOf(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const options = branches.map(([first]) => (first?.code === 'invalid_value' ? first.values : []));
  if (options.some((values) => values.length === 0)) return '';
  return options
    .flat()
    .map((value) => JSON.stringify(value))
    .join('|');
}

/** The first finding of a failed parse, as path and expectation. Values stay out: they may be secrets. */
export function firstIssue(error: z.ZodError): { path: string; expected: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '$', expected: 'a valid document' };
  if (issue.code === 'unrecognized_keys') {
    return { path: documentPath(issue.path), expected: 'no unknown keys' };
  }
  const options = issue.code === 'invalid_union' ? optionsOf(issue.errors) : '';
  // In the words that the library has for an enumeration; for a union of values it says nothing.
  const expected = options === '' ? issue.message : `Invalid option: expected one of ${options}`;
  return { path: documentPath(issue.path), expected };
}
