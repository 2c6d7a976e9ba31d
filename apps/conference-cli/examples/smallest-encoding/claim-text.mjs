/** The one sentence in which a lane claims a size, and its reading: the reviewer needs no more than that to check it. */

/**
 * @param {{ name: string, bytes: Uint8Array }} corpus
 * @param {number} size
 * @param {string} recipe
 */
export function claimText({ name, bytes }, size, recipe) {
  return `${bytes.length} bytes of ${name} become ${size}: ${recipe}`;
}

/**
 * The size and the recipe that a claim states, or null for any other sentence.
 * @param {string} claim
 */
export function readClaim(claim) {
  const [, size, recipe] = /^\d{1,9} bytes of .{1,255}? become (\d{1,9}): (.{1,1000})$/.exec(claim) ?? [];
  return size === undefined || recipe === undefined ? null : { size: Number(size), recipe };
}
