import { expect, test } from 'vitest';
import { parseQid } from './qid.ts';

const rows: [text: string, ok: boolean, why: string][] = [
  ['01J9ZQ4V7N3K8M2R5T6W8X9Y0A', true, 'a ULID'],
  ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', true, 'the highest time'],
  ['ZZZZZZZZZZZZZZZZZZZZZZZZZZ', true, 'the source asks for the alphabet only, not for a time that fits'],
  ['01j9zq4v7n3k8m2r5t6w8x9y0a', false, 'lower case'],
  ['01J9ZQ4V7N3K8M2R5T6W8X9Y0', false, '25 characters'],
  ['01J9ZQ4V7N3K8M2R5T6W8X9Y0AA', false, '27 characters'],
  ['01J9ZQ4V7N3K8M2R5T6W8X9YIL', false, 'I and L are not in the alphabet'],
  ['01J9ZQ4V7N3K8M2R5T6W8X9Y0U', false, 'U is not in the alphabet'],
  ['01J9ZQ4V7N3K8M2R5T6W8X9Y0A\n', false, 'a line break after it'],
  ['../01J9ZQ4V7N3K8M2R5T6W8X9', false, 'a path'],
  ['', false, 'empty'],
];

test('a qid is exactly 26 characters of Crockford’s alphabet and comes back unchanged [BRID-03]', () => {
  for (const [text, ok, why] of rows) expect(parseQid(text), why).toBe(ok ? text : null);
});
