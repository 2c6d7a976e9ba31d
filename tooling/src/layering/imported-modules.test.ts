// Catches an import in a form that the layering check does not see.
import { expect, test } from 'vitest';
import { importedModules } from './imported-modules.ts';

test('imports, re-exports, types and dynamic imports are seen, each module once', () => {
  const text = `
    import { a } from './a.ts';
    import type { B } from '@x/b';
    import './side-effect.ts';
    export { c } from './c.ts';
    export * from './d.ts';
    export type { E } from '@x/e';
    const f = await import('./f.ts');
    const again = await import("./a.ts");
    const computed = await import(\`./\${f}.ts\`);
    // import './comment.ts';
    const text = "import './string.ts'";
  `;
  expect(importedModules('x.ts', text).toSorted()).toEqual([
    './a.ts',
    './c.ts',
    './d.ts',
    './f.ts',
    './side-effect.ts',
    '@x/b',
    '@x/e',
  ]);
});
