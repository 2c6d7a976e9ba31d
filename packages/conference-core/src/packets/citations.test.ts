/** Catches: a citation that slips by in another spelling, and prose that is taken for one. */
import { describe, expect, test } from 'vitest';
import { citationsOf, isInsideRoots } from './citations.ts';

const A = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';
const DIGEST = `sha256:${'ab'.repeat(32)}`;

describe('citations', () => {
  test.each([
    ['[E1]', ['E1']],
    ['see [E1], [E12] and [ E3 ].', ['E1', 'E12', 'E3']],
    ['[E1, E3; E4]', ['E1', 'E3', 'E4']],
    ['[E2-E4] [E6–E7] [E8 to E9] [E1-3]', ['E2', 'E3', 'E4', 'E6', 'E7', 'E8', 'E9', 'E1', 'E2', 'E3']],
    ['[E1 - 3 runs]', ['E1']],
    ['[E2, line 3]', ['E2']],
    ['[E01]', ['E01']],
    ['E1 without brackets, [e1], [EX1], [1]', []],
  ])('marks in %j [PACK-14]', (text, marks) => {
    expect(citationsOf(text).marks).toEqual(marks);
  });

  test('a range without end is bounded', () => {
    expect(citationsOf('[E1-E999999999]').marks).toHaveLength(1_001);
  });

  test('digests and dispatch ids with their items', () => {
    expect(citationsOf(`${DIGEST}, ${DIGEST.toUpperCase()}`).digests).toEqual([DIGEST, DIGEST]);
    expect(citationsOf('ab'.repeat(32)).digests).toEqual([]);
    expect(citationsOf(`${A}#c3 ${A}#m12, (${A})`).dispatches).toEqual([
      { id: A, item: 'c3' },
      { id: A, item: 'm12' },
      { id: A, item: null },
    ]);
    expect(citationsOf(`x${A} ${A}x ${A.toLowerCase()}`).dispatches).toEqual([]);
  });

  test.each([
    ['/etc/hosts', ['/etc/hosts']],
    ['in /srv/data/x.bin, line 3.', ['/srv/data/x.bin']],
    ['(/srv/a.txt) "/srv/b c" `/srv/d`', ['/srv/a.txt', '/srv/b', '/srv/d']],
    ['path=/srv/a; path:/srv/b', ['/srv/a', '/srv/b']],
    ['~/notes.txt', ['~/notes.txt']],
    ['C:\\Users\\me D:/data', ['C:\\Users\\me', 'D:/data']],
    ['\\\\server\\share', ['\\\\server\\share']],
    ['../x ../../y a/../../z b/..', ['../x', '../../y', 'a/../../z']],
    ['file:///etc/passwd', ['/etc/passwd']],
    ['/etc', ['/etc']],
    ['see /etc/..', ['/etc/..']],
    ['/srv/data.', ['/srv/data']],
  ])('paths in %j [CHAR-14]', (text, paths) => {
    expect(citationsOf(text).paths).toEqual(paths);
  });

  test.each([
    'and/or, 9/8, n/a, w/o, he/she',
    '8 /10, 12 MB /s, 3 km /h, 5 % /day',
    'https://example.org/etc/passwd and http://x/y?z=/etc',
    'GET /api/v2/items, POST /login',
    'src/encoder/window.ts, ./docs/notes.md, a/b/../c, results.csv',
    '0.31..0.33, pages 3…7, and so on ..., x..y',
    '<b>bold</b> <br/>',
    'a / b, // comment, /* c */, 1 / 3',
    '~5 %, ~12 ms, approx. ~x',
  ])('none in %j [CHAR-14]', (text) => {
    expect(citationsOf(text).paths).toEqual([]);
  });

  test('URLs are kept apart, as unchecked [CHAR-14]', () => {
    expect(citationsOf('see https://example.org/a?b=1 and <http://x.y/z>').urls).toEqual([
      'https://example.org/a?b=1',
      'http://x.y/z',
    ]);
  });

  test('a path lies in a root by its segments, after .. is carried out', () => {
    const roots = ['/srv/data/', '/opt/x'];
    for (const inside of [
      '/srv/data',
      '/srv/data/a/b',
      '/srv//data/./a',
      '/opt/x/y',
      '/srv/other/../data/a',
    ]) {
      expect(isInsideRoots(inside, roots), inside).toBe(true);
    }
    for (const outside of [
      '/srv/database',
      '/srv',
      '/srv/data/../x',
      '/opt/xy',
      '~/a',
      '../a',
      'C:\\a',
      '/',
    ]) {
      expect(isInsideRoots(outside, roots), outside).toBe(false);
    }
    expect(isInsideRoots('/etc', [])).toBe(false);
    expect(isInsideRoots('/etc/x', ['/'])).toBe(true);
  });
});
