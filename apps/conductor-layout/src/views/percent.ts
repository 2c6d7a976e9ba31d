/** A share of the whole as both drawings show it: one decimal, always a point. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
