/**
 * The environment variables that existing peers know, resolved once (04 Wire, 04 Registry, 04 coms).
 *
 * Boundary: takes the variables as an argument. A value that is not usable counts as unset.
 */

const hopsMaxDefault = 5;
const replyTimeoutMsDefault = 1_800_000;

export interface ComsSettings {
  /** Folder of registry and sockets: `PI_COMS_DIR`, or null for `~/.pi/coms`. */
  readonly dir: string | null;
  /** A prompt with more hops is refused: `PI_COMS_MAX_HOPS`, 5 by default. */
  readonly hopsMax: number;
  /** How long an answer is waited for: `PI_COMS_TIMEOUT_MS`, 1,800,000 ms by default. */
  readonly replyTimeoutMs: number;
}

/** A whole number of at least `min`, written in digits. */
function wholeNumber(text: string | undefined, min: number): number | null {
  if (text === undefined || !/^\s*\d{1,15}\s*$/.test(text)) return null;
  const value = Number(text);
  return value >= min ? value : null;
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): ComsSettings {
  const dir = env['PI_COMS_DIR'];
  return {
    dir: dir === undefined || dir === '' ? null : dir,
    hopsMax: wholeNumber(env['PI_COMS_MAX_HOPS'], 0) ?? hopsMaxDefault,
    replyTimeoutMs: wholeNumber(env['PI_COMS_TIMEOUT_MS'], 1) ?? replyTimeoutMsDefault,
  };
}
