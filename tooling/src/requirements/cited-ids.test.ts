// Catches a citation that the gate does not see: the id would count as open, or a wrong one would never be noticed.
import { expect, test } from 'vitest';
import { citedIds } from './cited-ids.ts';

const prefixes = new Set(['LEDG', 'RECO', 'CLI']);

test.each([
  {
    title: 'a torn tail is set aside [LEDG-06 RECO-11]',
    ids: ['LEDG-06', 'RECO-11'],
    why: 'several in one bracket',
  },
  { title: '[CLI-1] and [CLI-2, CLI-3]', ids: ['CLI-1', 'CLI-2', 'CLI-3'], why: 'anywhere, with commas too' },
  { title: 'twice [CLI-1 CLI-1]', ids: ['CLI-1'], why: 'each once' },
  {
    title: 'beside an invariant [L3 LEDG-06]',
    ids: ['LEDG-06'],
    why: 'invariant numbers may stand beside ids',
  },
  { title: 'LEDG-06 without brackets', ids: [], why: 'prose cites nothing' },
  { title: 'a digest [SHA-256] of [UTF-8] text', ids: [], why: 'names that only look alike' },
  { title: 'row [0] of [a, b]', ids: [], why: 'brackets that hold no id' },
  { title: 'misspelt [LEDGR-06]', ids: ['LEDGR-06'], why: 'an unknown prefix must reach the gate' },
  {
    title: 'without its dash [LEDG06]',
    ids: ['LEDG06'],
    why: 'a slip of a known prefix must reach the gate',
  },
  { title: 'unclosed [LEDG-06', ids: [], why: 'no bracket, no citation' },
])('$why', ({ title, ids }) => {
  expect(citedIds(title, prefixes)).toEqual(ids);
});
