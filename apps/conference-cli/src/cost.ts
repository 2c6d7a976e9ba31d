/** What a child cost, as a person or a caller writes it: a decimal in the unit of the cost budget. */
const COST = /^\d{1,15}(\.\d{1,9})?$/;

export function isCost(text: string): boolean {
  return COST.test(text);
}

export function parseCost(text: string): string {
  if (!isCost(text)) throw new SyntaxError(`${text} is no cost; accepted: a decimal such as 0.25`);
  return text;
}
