/** Codes of the one error class of this package. Expected failures are values; these are thrown for wrong calls only. */
export type LedgerErrorCode = 'NOT_JSON' | 'NOT_A_DIGEST' | 'WRONG_OPTION';

/**
 * The one error class of this package.
 *
 * - `NOT_JSON`: a value without a canonical form was given where one was promised.
 * - `NOT_A_DIGEST`: a text that is no `sha256:<64 hex>` was given where one was promised.
 * - `WRONG_OPTION`: an option is outside its documented bounds.
 */
export class LedgerError extends Error {
  readonly code: LedgerErrorCode;

  constructor(code: LedgerErrorCode, message: string) {
    super(message);
    this.name = 'LedgerError';
    this.code = code;
  }
}
