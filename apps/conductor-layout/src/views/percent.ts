/** A share of the whole as both drawings show it: one decimal, always a point. */
export function percent(share: number): string {
  // Rounded first: equal shares come from unequal sums, and 16.25 must not be shown as 16.2 and 16.3.
  return `${(Math.round(share * 1e9) / 1e7).toFixed(1)} %`;
}
