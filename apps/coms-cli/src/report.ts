/**
 * How outcomes are shown: the reply alone on stdout, everything else on stderr; with `--json` one object on stdout.
 */
import type { Response } from '@x/coms-envelope';
import type { ConversationOutcome } from './conversation.ts';
import type { CliContext } from './context.ts';
import { exitCode } from './exit-code.ts';
import { withoutControls } from './peer-table.ts';

export interface Report {
  readonly context: CliContext;
  readonly json: boolean;
  readonly msgId: string;
  readonly peer: string;
}

/** A string as it is, with a line feed; any other value as JSON. */
export function responseText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The words of an answer to a structured question (source 004 "Answer mapping"): the titles that were selected, or
 * what was typed. Any other response is shown as it is.
 */
export function answerText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'kind' in value) {
    if (value.kind === 'freeform' && 'text' in value && typeof value.text === 'string') return value.text;
    if (value.kind === 'selection' && 'selections' in value && Array.isArray(value.selections)) {
      return value.selections.map(responseText).join('\n');
    }
  }
  return responseText(value);
}

export function reportResponse(report: Report, response: Response, show: (value: unknown) => string): void {
  const { context, json, msgId } = report;
  const text = json
    ? JSON.stringify({ ok: true, msg_id: msgId, response: response.response })
    : show(response.response);
  context.out(`${text}\n`);
  context.exit(exitCode.done);
}

/** One line that says what happened, in the words of 04 coms where it has them. */
function failureLine(outcome: Extract<ConversationOutcome, { ok: false }>, peer: string): string {
  switch (outcome.code) {
    case 'PEER_ERROR':
      return `peer error: ${outcome.message}`;
    case 'RESPONSE_TIMEOUT':
      return outcome.message;
    case 'NACK':
      return `coms: ${peer} refused the message: ${outcome.message}`;
    case 'PEER_DEAD':
      return `coms: ${peer} does not answer: ${outcome.message}. See who is there with: coms list`;
    case 'NO_ANSWER':
    case 'BAD_ANSWER':
      return `coms: no acknowledgement from ${peer}, the message may have been delivered: ${outcome.message}`;
    default:
      return `coms: ${outcome.message}`;
  }
}

export function reportFailure(report: Report, outcome: Extract<ConversationOutcome, { ok: false }>): void {
  const { context, json, msgId, peer } = report;
  // The peer wrote part of it: its lines stay, its escapes do not reach a terminal. JSON has it as it came.
  const lines = failureLine(outcome, peer).split('\n');
  context.err(lines.map((line) => withoutControls(line)).join('\n'));
  if (json) {
    const { code, message } = outcome;
    context.out(`${JSON.stringify({ ok: false, msg_id: msgId, code, message })}\n`);
  }
  context.exit(exitCode.failed);
}

/** A failure before there was any message. */
export function reportProblem(
  context: CliContext,
  json: boolean,
  { code, message }: { code: string; message: string },
): void {
  context.err(`coms: ${message}`);
  if (json) context.out(`${JSON.stringify({ ok: false, code, message })}\n`);
  context.exit(exitCode.failed);
}
