/**
 * The port to a secret scanner (design, Admission). Its rules are the rules; the adapter lives in an app.
 *
 * A finding names a rule and a place, never the text: what it found must not reach a ledger, a log or a terminal.
 */

export interface SecretFinding {
  /** Id of the rule that fired, in the scanner's own naming. */
  readonly rule: string;
  /** UTF-16 offset into the scanned text. */
  readonly offset: number;
}

export interface SecretScanner {
  readonly name: string;
  readonly version: string;
  /** All findings in a text, in any order; an empty list means that no rule fired. */
  scan(text: string): Promise<readonly SecretFinding[]>;
}
