/**
 * The optional parts of a prompt and of a response, read without ever refusing: a field of an unexpected type is
 * one that is absent, because the minimum alone decides what is accepted (04 Wire).
 */
import type { Prompt, Response } from './envelope.ts';

/** Who sent a prompt, as the prompt itself says, and how long an answer is waited for. */
export interface PromptDetails {
  readonly senderName: string | undefined;
  readonly senderCwd: string | undefined;
  readonly senderSession: string | undefined;
  readonly conversationId: string | undefined;
  /** Milliseconds, above zero and finite; anything else in the field counts as absent. */
  readonly replyTimeoutMs: number | undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function promptDetails(prompt: Prompt): PromptDetails {
  const timeout = prompt['reply_timeout_ms'];
  const usable = typeof timeout === 'number' && Number.isFinite(timeout) && timeout > 0;
  return {
    senderName: text(prompt['sender_name']),
    senderCwd: text(prompt['sender_cwd']),
    senderSession: text(prompt['sender_session']),
    conversationId: text(prompt['conversation_id']),
    replyTimeoutMs: usable ? timeout : undefined,
  };
}

/** The error of a response, or undefined where it carries an answer. An empty `error` is none. */
export function responseError(response: Response): string | undefined {
  const error = response['error'];
  if (error === undefined || error === null || error === '' || error === false) return undefined;
  return typeof error === 'string' ? error : JSON.stringify(error);
}
