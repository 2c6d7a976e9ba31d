import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the contract’s logic imports zod and its own files only, and reads no clock [BRID-02]', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    for (const [, from] of text.matchAll(/from '([^']+)'/g))
      expect(from === 'zod' || from?.startsWith('./') === true, `${file} imports ${from}`).toBe(true);
    expect(text, file).not.toMatch(/Date\.now|new Date\(\)|Math\.random|setTimeout|process\.|import\(/);
  }
});
