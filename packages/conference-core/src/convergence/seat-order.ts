/** The order of lanes: A … Z, AA, AB … Shorter names first, then by code unit, so that it is total for any names. */

export function compareSeats(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The lanes in seat order; the array itself when it already is. Nothing downstream depends on how they arrived. */
export function inSeatOrder<L extends { readonly lane: string }>(lanes: readonly L[]): readonly L[] {
  const sorted = lanes.every((lane, at) => {
    const before = lanes[at - 1];
    return before === undefined || compareSeats(before.lane, lane.lane) <= 0;
  });
  return sorted ? lanes : lanes.toSorted((left, right) => compareSeats(left.lane, right.lane));
}
