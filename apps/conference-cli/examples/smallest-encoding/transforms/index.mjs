/** The transforms by name and by the byte that stands for them in an encoding. */
import { burrowsWheeler } from './burrows-wheeler.mjs';
import { columns } from './columns.mjs';
import { delta } from './delta.mjs';
import { frontCoding } from './front-coding.mjs';
import { letterCase } from './letter-case.mjs';
import { moveToFront } from './move-to-front.mjs';
import { pairs } from './pairs.mjs';
import { series } from './series.mjs';
import { sortedWords } from './sorted-words.mjs';
import { words } from './words.mjs';
import { zeroRuns } from './zero-runs.mjs';

/** In the order in which a chain applies them. */
export const TRANSFORMS = [
  sortedWords,
  columns,
  series,
  frontCoding,
  letterCase,
  words,
  pairs,
  delta,
  burrowsWheeler,
  moveToFront,
  zeroRuns,
];

/** @type {ReadonlyMap<string, import('./transform.mjs').Transform>} */
export const TRANSFORM_BY_NAME = new Map(TRANSFORMS.map((transform) => [transform.name, transform]));

/** @type {ReadonlyMap<number, import('./transform.mjs').Transform>} */
export const TRANSFORM_BY_ID = new Map(TRANSFORMS.map((transform) => [transform.id, transform]));
