import { expect, test } from 'vitest';
import { memoryContentStore } from './content.ts';
import { digestOf } from './digest.ts';

test('a content store in memory gives back the bytes of a digest, and copies of them [LEDG-10]', () => {
  const store = memoryContentStore();
  const bytes = new TextEncoder().encode('{"a":1}');
  const digest = digestOf('{"a":1}');
  expect(store.get(digest)).toEqual({ status: 'missing' });
  expect(store.put(bytes)).toEqual({ status: 'stored', digest, already: false });
  bytes.fill(0);
  expect(store.get(digest)).toEqual({ status: 'found', bytes: new TextEncoder().encode('{"a":1}') });
  expect(store.put(new TextEncoder().encode('{"a":1}'))).toMatchObject({ already: true });
  expect(store.durable).toBe(false);
});
