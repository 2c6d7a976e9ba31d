/**
 * The compressors at the end of a chain: Brotli, and deflate in its three wrappings, all out of node:zlib.
 *
 * A coder's parameters are a table: name as recipes write it, accepted values, the usual value, and whether a recipe names
 * the parameter even then.
 * Compressing runs on zlib's own threads, so several recipes are measured at once.
 */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { LENGTH_MAX } from '../transforms/transform.mjs';

const { constants } = zlib;

/**
 * @typedef {string | number} Value
 * @typedef {Readonly<Record<string, Value>>} Parameters
 * @typedef {object} Coder
 * @property {number} id two bits in the header of an encoding
 * @property {'brotli' | 'deflate'} family which lane tunes it
 * @property {Readonly<Record<string, { values: readonly Value[], usual: Value, always?: boolean }>>} parameters
 * @property {(bytes: Uint8Array, parameters: Parameters) => Promise<Uint8Array>} compress
 * @property {(bytes: Uint8Array) => Promise<Uint8Array>} decompress
 */

const BROTLI_MODES = {
  generic: constants.BROTLI_MODE_GENERIC,
  text: constants.BROTLI_MODE_TEXT,
  font: constants.BROTLI_MODE_FONT,
};

const STRATEGIES = {
  default: constants.Z_DEFAULT_STRATEGY,
  filtered: constants.Z_FILTERED,
  huffman: constants.Z_HUFFMAN_ONLY,
  rle: constants.Z_RLE,
  fixed: constants.Z_FIXED,
};

/** @param {number} first @param {number} last */
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

const DEFLATE_PARAMETERS = {
  level: { values: range(1, 9), usual: 9, always: true },
  mem: { values: range(1, 9), usual: 8 },
  strategy: { values: Object.keys(STRATEGIES), usual: 'default' },
  window: { values: range(9, 15), usual: 15 },
};

/**
 * @param {number} id
 * @param {(bytes: Uint8Array, options: zlib.ZlibOptions) => Promise<Uint8Array>} compress
 * @param {(bytes: Uint8Array, options: zlib.ZlibOptions) => Promise<Uint8Array>} decompress
 * @returns {Coder}
 */
function deflateCoder(id, compress, decompress) {
  return {
    id,
    family: 'deflate',
    parameters: DEFLATE_PARAMETERS,
    compress: (bytes, { level, mem, strategy, window }) =>
      compress(bytes, {
        level: Number(level),
        memLevel: Number(mem),
        strategy: named(STRATEGIES, strategy),
        windowBits: Number(window),
      }),
    decompress: (bytes) => decompress(bytes, { maxOutputLength: LENGTH_MAX }),
  };
}

/** @param {Readonly<Record<string, number>>} table @param {Value | undefined} name */
function named(table, name) {
  const value = table[String(name)];
  if (value === undefined) throw new Error(`expected one of ${Object.keys(table).join(', ')}, found ${name}`);
  return value;
}

/** @type {Readonly<Record<string, Coder>>} */
export const CODERS = {
  brotli: {
    id: 0,
    family: 'brotli',
    parameters: {
      quality: { values: range(0, 11), usual: 11, always: true },
      lgwin: { values: range(10, 24), usual: 22, always: true },
      mode: { values: Object.keys(BROTLI_MODES), usual: 'generic' },
      /** 0 leaves the block size to Brotli. */
      lgblock: { values: [0, ...range(16, 24)], usual: 0 },
      hint: { values: ['none', 'size'], usual: 'none' },
      contexts: { values: ['on', 'off'], usual: 'on' },
    },
    compress: (bytes, { quality, lgwin, mode, lgblock, hint, contexts }) =>
      promisify(zlib.brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: Number(quality),
          [constants.BROTLI_PARAM_LGWIN]: Number(lgwin),
          [constants.BROTLI_PARAM_MODE]: named(BROTLI_MODES, mode),
          [constants.BROTLI_PARAM_LGBLOCK]: Number(lgblock),
          [constants.BROTLI_PARAM_SIZE_HINT]: hint === 'size' ? bytes.length : 0,
          [constants.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING]: contexts === 'off' ? 1 : 0,
        },
      }),
    decompress: (bytes) => promisify(zlib.brotliDecompress)(bytes, { maxOutputLength: LENGTH_MAX }),
  },
  deflate: deflateCoder(1, promisify(zlib.deflateRaw), promisify(zlib.inflateRaw)),
  zlib: deflateCoder(2, promisify(zlib.deflate), promisify(zlib.inflate)),
  gzip: deflateCoder(3, promisify(zlib.gzip), promisify(zlib.gunzip)),
};
