/** Cost: decimals in the host's own unit, added exactly (01 Start gate, Cost budget). */
import Big from 'big.js';

export function addDecimals(left: string, right: string): string {
  return new Big(left).plus(right).toFixed();
}

/** What the host reports is a plain decimal: no sign, no exponent, as `dispatch.received` wants it. */
export function isCost(text: string): boolean {
  return /^\d{1,30}(\.\d{1,30})?$/.test(text);
}

/** Whether a budget is reached: spent it, or more. */
export function isReached(spent: string, budget: string | undefined): boolean {
  return budget !== undefined && new Big(spent).gte(budget);
}
