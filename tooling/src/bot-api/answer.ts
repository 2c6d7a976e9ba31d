/** What a method answers, and the parameters it is given. */
import type { ErrorParameters } from './faults.ts';

export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error_code: number;
      readonly description: string;
      readonly parameters?: ErrorParameters;
    };

export type CallParameters = Readonly<Record<string, unknown>>;

export const accept = (result: unknown): Answer => ({ ok: true, result });

export const refuse = (error_code: number, description: string, parameters?: ErrorParameters): Answer => ({
  ok: false,
  error_code,
  description,
  ...(parameters === undefined ? {} : { parameters }),
});

/** A whole number, also as the text that a form or a query holds. */
export function integerOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : null;
}

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
