/** Cost: decimals in the host's own unit, added exactly (01 Start gate, Cost budget). */
import Big from 'big.js';

export function addDecimals(left: string, right: string): string {
  return new Big(left).plus(right).toFixed();
}

/** Whether a budget is reached: spent it, or more. */
export function isReached(spent: string, budget: string | undefined): boolean {
  return budget !== undefined && new Big(spent).gte(budget);
}
