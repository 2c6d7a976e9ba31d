/**
 * Reads what a charter shows: its `read_context` is a list of quoted items, some of them packets in JSON.
 * Everything in it is data of unknown origin: what does not have the expected shape is left out, never trusted.
 */
import { readRecipe } from './encoding/recipe.mjs';

/**
 * @typedef {{ ref: string, claim?: unknown, verdict?: string }} Claim the words are left out where the charter had no room
 * @typedef {{ ref: string, name: string, value: string, provenance: string, verdict?: string }} Measurement
 * @typedef {object} ShownPacket
 * @property {string} item E1, E2, …: what evidence cites it by
 * @property {string} dispatch_id
 * @property {string | null} lane null for a packet that is no researcher's
 * @property {number} round
 * @property {Claim[]} claims
 * @property {Measurement[]} measurements
 *
 * @typedef {object} Finding a measurement whose recipe can be made again
 * @property {string} ref
 * @property {string} item
 * @property {string} lane
 * @property {number} round
 * @property {string} text the recipe as spelt
 * @property {import('./encoding/recipe.mjs').Recipe} recipe
 * @property {number} size
 */

/**
 * The packets among the items of a charter.
 * @param {import('./charter.mjs').Charter} charter
 * @returns {ShownPacket[]}
 */
export function shownPackets(charter) {
  return charter.read_context.flatMap(({ id, excerpt }) => {
    const packet = parsed(excerpt);
    if (packet === null || typeof packet.dispatch_id !== 'string') return [];
    return [
      {
        item: id,
        dispatch_id: packet.dispatch_id,
        lane: typeof packet.lane === 'string' ? packet.lane : null,
        round: Number.isInteger(packet.round) ? packet.round : charter.round,
        claims: entries(packet.claims, ['ref']),
        measurements: entries(packet.measurements, ['ref', 'name', 'value', 'provenance']),
      },
    ];
  });
}

/**
 * The measurements of lanes that name a recipe and a size, smallest first; of equals the one measured first.
 * @param {readonly ShownPacket[]} packets
 * @returns {Finding[]}
 */
export function findingsOf(packets) {
  return packets
    .flatMap(({ item, lane, round, measurements }) =>
      measurements.flatMap(({ ref, value, provenance }) => {
        const recipe = readRecipe(provenance);
        const size = sizeOf(value);
        if (lane === null || recipe === null || size === null) return [];
        return [{ ref, item, lane, round, text: provenance, recipe, size }];
      }),
    )
    .sort((a, b) => a.size - b.size || a.round - b.round || (a.ref < b.ref ? -1 : 1));
}

/**
 * The whole number of bytes that a value states, with or without that unit; null for anything else.
 * @param {string} value
 */
export function sizeOf(value) {
  const digits = /^(\d{1,9})(?: bytes)?$/.exec(value)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The object or list that a text spells in JSON; null for anything else, such as a text cut short.
 * @param {string} text
 */
export function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/**
 * The objects of a list that hold a string under each key; other members are kept as they are.
 * @param {unknown} list
 * @param {readonly string[]} keys
 */
function entries(list, keys) {
  if (!Array.isArray(list)) return [];
  return list.filter(
    (entry) =>
      typeof entry === 'object' && entry !== null && keys.every((key) => typeof entry[key] === 'string'),
  );
}
