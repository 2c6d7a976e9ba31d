/**
 * Reads test titles out of a test's source, for a table right after a clone, before anything ran.
 *
 * Boundary: one file's text in, titles out. A title that is computed (`test(row.title, …)`) cannot be seen here;
 * of a template the fixed parts are. The executed report sees both.
 */
import { parseSync, Visitor } from 'oxc-parser';
import type { CallExpression, Expression } from 'oxc-parser';

export type SourceTitle = { readonly kind: 'test' | 'group'; readonly title: string };

/** A file that does not parse gives no titles: the compiler and the test run name the fault. */
export const sourceTitles = (fileName: string, text: string): readonly SourceTitle[] => {
  const { program } = parseSync(fileName, text);
  const titles: SourceTitle[] = [];
  new Visitor({
    CallExpression(call) {
      const title = titleOf(call);
      if (title !== undefined) titles.push(title);
    },
  }).visit(program);
  return titles;
};

const titleOf = (call: CallExpression): SourceTitle | undefined => {
  const name = calledName(call.callee);
  const [first] = call.arguments;
  if (name === undefined || first === undefined || first.type === 'SpreadElement') return undefined;
  const title = literalText(first);
  return title === undefined
    ? undefined
    : { kind: name === 'describe' || name === 'suite' ? 'group' : 'test', title };
};

const testNames = new Set(['test', 'it', 'describe', 'suite']);

/** `test`, `test.skip`, `test.each(rows)`, `test.skipIf(condition)`: the name at the root of the call. */
const calledName = (callee: Expression): string | undefined => {
  let at: Expression = callee;
  // Bounded by the expression's own depth: each step goes one node inward.
  for (;;) {
    if (at.type === 'Identifier') return testNames.has(at.name) ? at.name : undefined;
    if (at.type === 'MemberExpression') at = at.object;
    else if (at.type === 'CallExpression') at = at.callee;
    else return undefined;
  }
};

const literalText = (node: Expression): string | undefined => {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral')
    return node.quasis.map((part) => part.value.cooked ?? part.value.raw).join('…');
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const left = literalText(node.left);
    const right = literalText(node.right);
    return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
  }
  return undefined;
};
