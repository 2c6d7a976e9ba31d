/** `conference evaluate FILE`: convergence alone, on rounds that a document gives (07). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { evaluateDocuments } from '@x/conference-core';
import type { CliContext } from '../context.ts';
import { fail, usage } from '../output.ts';
import { errorCode } from '../error-code.ts';

export interface EvaluateFlags {
  readonly json: boolean;
}

/** The answer is JSON with or without `--json`: it is a document, in the order of what was asked. */
export function evaluate(context: CliContext, flags: EvaluateFlags, file: string): void {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : resolve(context.cwd, file), 'utf8');
  } catch (error) {
    const code = errorCode(error, 'unreadable');
    return fail(context, flags, usage('FILE_UNREADABLE', `${file} cannot be read (${code})`));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail(
      context,
      flags,
      usage(
        'NOT_JSON',
        `$: ${file} is not JSON; accepted is a document as "conference evaluate --help" shows`,
      ),
    );
  }
  const answer = evaluateDocuments(value);
  if (!answer.ok) {
    const shown = answer.findings.map(
      ({ path, found, accepted }) => `${path}: found ${found}, accepted ${accepted}`,
    );
    return fail(context, flags, usage('DOCUMENT_INVALID', shown.join('\n')));
  }
  context.out(`${JSON.stringify(answer.answer, null, flags.json ? undefined : 2)}\n`);
}
