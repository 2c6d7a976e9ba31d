/**
 * The one message a child gets: JSON on standard input. Only the members that these children use are named here;
 * `conference schema charter` prints the whole shape.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * @typedef {object} Charter
 * @property {string} dispatch_id
 * @property {'researcher' | 'poster' | 'reviewer' | 'synthesis'} role
 * @property {number} round
 * @property {string} [lane] A, B, C … for a researcher
 * @property {boolean} [contrarian]
 * @property {number} [iteration_allowance]
 * @property {{ metric?: { name: string, target: string, unit: string } }} success_definition
 * @property {{ id: string, source: string, excerpt: string }[]} read_context
 * @property {string[]} allowed_read_roots
 *
 * @typedef {{ name: string, bytes: Uint8Array }} Corpus the file to encode, by its name without a folder
 */

/** Bytes of the largest file that these children take on. */
const CORPUS_BYTES_MAX = 1024 * 1024;

/** @returns {Promise<Charter>} */
export async function readCharter() {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) text += chunk;
  return JSON.parse(text);
}

/**
 * The file to encode: the one file among the roots that the charter allows to read.
 * @param {Charter} charter
 * @returns {Promise<Corpus | { missing: string }>}
 */
export async function readCorpus({ allowed_read_roots: roots }) {
  for (const root of roots) {
    const found = await stat(root).catch(() => null);
    if (found === null || !found.isFile()) continue;
    if (found.size > CORPUS_BYTES_MAX) {
      return { missing: `${basename(root)} has ${found.size} bytes, expected at most ${CORPUS_BYTES_MAX}` };
    }
    return { name: basename(root), bytes: new Uint8Array(await readFile(root)) };
  }
  return { missing: 'no file to encode: expected an allowed read root that names a file' };
}

/**
 * A size as the metric wants it: the measurement's unit must be the target's.
 * @param {Charter} charter
 * @param {number} size
 */
export function inUnit({ success_definition: { metric } }, size) {
  return metric?.unit ? `${size} ${metric.unit}` : String(size);
}
