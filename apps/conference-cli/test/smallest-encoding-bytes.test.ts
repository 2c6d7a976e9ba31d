/**
 * What the example conference measures: transforms and encodings that can be undone, and recipes that anyone can make again.
 * A transform that loses a byte would make the demo's numbers worthless.
 *
 * The example is plain JavaScript that runs without a build, so its modules are loaded by address and typed here.
 */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const EXAMPLE = new URL('../examples/smallest-encoding/', import.meta.url);
const CORPUS = new URL('../../../tooling/requirements.tsv', import.meta.url);

interface Transform {
  readonly name: string;
  readonly amounts?: readonly number[];
  apply(bytes: Uint8Array, amount: number): Uint8Array;
  invert(bytes: Uint8Array): Uint8Array;
}
interface Recipe {
  readonly chain: readonly { readonly name: string; readonly amount?: number }[];
}
interface Modules {
  readonly TRANSFORMS: readonly Transform[];
  readonly recipe: (chain: Recipe['chain'], coder: string, parameters?: object) => Recipe;
  readonly readRecipe: (text: string) => Recipe | null;
  readonly writeRecipe: (recipe: Recipe) => string;
  readonly encoderOf: (bytes: Uint8Array) => (recipe: Recipe) => Promise<Uint8Array>;
  readonly decode: (encoding: Uint8Array) => Promise<Uint8Array>;
}

const load = async (path: string): Promise<object> => import(new URL(path, EXAMPLE).href);
// The example has no declarations; what these tests call is declared above.
const { TRANSFORMS, recipe, readRecipe, writeRecipe, encoderOf, decode } = Object.assign(
  {},
  ...(await Promise.all(['transforms/index.mjs', 'encoding/recipe.mjs', 'encoding/encoding.mjs'].map(load))),
) as Modules;
const RUNS = process.env['FULL'] === '1' ? 3_000 : 150;
const REVERSIBLE = TRANSFORMS.filter(({ name }) => name !== 'sorted-words');

/** Bytes that look like text, tables, runs and noise. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'ab',
        'The ',
        'PACKET',
        'words',
        '\t',
        '\n',
        'ID-09\n',
        'ID-10\n',
        'ID-10',
        '7',
        ' ',
        '…',
      ),
      {
        maxLength: 120,
      },
    )
    .map((parts) => new Uint8Array(Buffer.from(parts.join('')))),
  fc
    .array(fc.integer({ min: 8, max: 12 }), { maxLength: 8 })
    .map((numbers) => new Uint8Array(Buffer.from(numbers.map((number) => `ID-${number}`).join('\n')))),
  fc
    .array(fc.tuple(fc.constantFrom(0, 1, 254, 255), fc.integer({ min: 1, max: 70 })), { maxLength: 12 })
    .map((runs) => Uint8Array.from(runs.flatMap(([value, times]) => Array<number>(times).fill(value)))),
);

test.each(REVERSIBLE.map((transform) => [transform.name, transform] as const))(
  '%s gives back any bytes, whatever its amount',
  (_name, transform) => {
    fc.assert(
      fc.property(anyBytes, fc.constantFrom(...(transform.amounts ?? [0])), (bytes, amount) => {
        expect(transform.invert(transform.apply(bytes, amount))).toEqual(bytes);
      }),
      { numRuns: RUNS },
    );
  },
);

test('any chain before any coder is undone from the bytes of the encoding alone', async () => {
  const steps = REVERSIBLE.map(({ name, amounts }) => ({
    name,
    ...(amounts ? { amount: amounts[0] ?? 1 } : {}),
  }));
  const chains = fc.subarray(steps, { maxLength: 6 }).chain((chain) => fc.shuffledSubarray(chain));
  const coders = fc.constantFrom('brotli', 'deflate', 'zlib', 'gzip');
  await fc.assert(
    fc.asyncProperty(anyBytes, chains, coders, async (bytes, chain, coder) => {
      const encoding = await encoderOf(bytes)(recipe(chain, coder));
      expect(new Uint8Array(await decode(encoding))).toEqual(bytes);
    }),
    { numRuns: RUNS / 3 },
  );
});

test('a damaged encoding is refused or decoded, and never ends the process', async () => {
  const steps = ['columns 1', 'case', 'words 40', 'bwt', 'mtf', 'zeros'].join(', ');
  const made = readRecipe(`${steps}, deflate level 9`);
  if (made === null) throw new Error('the recipe is spelt wrong');
  const corpus = new Uint8Array(await readFile(CORPUS)).subarray(0, 8_000);
  const encoding = await encoderOf(corpus)(made);
  await fc.assert(
    fc.asyncProperty(fc.nat(encoding.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const damaged = encoding.map((byte, position) => (position === at ? byte ^ flip : byte));
      const result = await decode(damaged).catch((error: unknown) => error);
      expect(result instanceof Error || result instanceof Uint8Array).toBe(true);
    }),
    { numRuns: RUNS / 2 },
  );
});

test('bytes that would decode for ever, or to far too much, are refused', () => {
  const invert = (name: string, bytes: number[]) => () =>
    TRANSFORMS.find((transform) => transform.name === name)?.invert(Uint8Array.from(bytes));
  const [code, letter, newline] = [200, 65, 10];
  expect(invert('pairs', [1, code, code, letter, code])).toThrow('goes round in circles');
  expect(invert('pairs', [1, code, letter, code, code])).toThrow('decoding makes more than');
  expect(invert('zeros', Array<number>(40).fill(1))).toThrow('decoding makes more than');
  const line = [...Array<number>(4_000).fill(letter), 48, newline];
  expect(invert('series', [code, ...line, ...Array<number>(5_000).fill(code)])).toThrow(
    'decoding makes more than',
  );
  const table = [1, 1, code, 1, ...Array<number>(4_000).fill(letter), newline];
  expect(invert('words', [...table, ...Array<number>(5_000).fill(code)])).toThrow('decoding makes more than');
});

test('a recipe has one spelling, and no other text is one', () => {
  for (const text of [
    'gzip level 9',
    'columns 4, series, case, words 160, brotli quality 11 lgwin 22 mode font',
    'bwt, mtf, zeros, deflate level 9 mem 7 strategy huffman window 14',
  ]) {
    const read = readRecipe(text);
    expect(read && writeRecipe(read)).toBe(text);
  }
  for (const text of [
    '',
    'gzip',
    'gzip level 10',
    'gzip level 9 mem 8',
    'gzip  level 9',
    'columns, gzip level 9',
    'case 3, gzip level 9',
    'toString, gzip level 9',
    'constructor level 9',
    'gzip level 9 __proto__ 1',
    'gzip level 9, case',
    `${'case, '.repeat(20)}gzip level 9`,
  ]) {
    expect(readRecipe(text), text).toBeNull();
  }
});
