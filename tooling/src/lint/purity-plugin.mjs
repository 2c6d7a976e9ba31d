/**
 * Lint rules for pure code that the linter does not bring itself.
 *
 * Boundary: reads the syntax tree of one file. Which folders are pure stands in .oxlintrc.json.
 * Plain JavaScript, because the linter loads it with the oldest Node that must work, which strips no types.
 */
import { builtinModules } from 'node:module';

const nodeModules = new Set(builtinModules);

const nodeImportMessage = (name) =>
  `'${name}' is Node itself, and this code is pure. What needs Node belongs in an app, or on the package's /node subpath; pass the result or a port in.`;

const clockMessage =
  'This reads the clock, and this code is pure: a command carries `now`. The clock belongs to the runner (the clock port, a /node subpath or an app).';

/** `Date`, or `Date` taken from the global object. */
const isDate = (node) =>
  (node.type === 'Identifier' && node.name === 'Date') ||
  (node.type === 'MemberExpression' &&
    !node.computed &&
    node.object.type === 'Identifier' &&
    node.object.name === 'globalThis' &&
    node.property.name === 'Date');

const noNodeImport = {
  create(context) {
    const check = (source) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const name = source.value;
      if (name.startsWith('node:') || nodeModules.has(name.split('/')[0])) {
        context.report({ node: source, message: nodeImportMessage(name) });
      }
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
    };
  },
};

const noClockRead = {
  create(context) {
    return {
      // `new Date(value)` and `Date.parse(text)` only convert; without an argument they read the clock.
      NewExpression(node) {
        if (isDate(node.callee) && node.arguments.length === 0)
          context.report({ node, message: clockMessage });
      },
      // Called without `new`, Date ignores its arguments and gives the present as text.
      CallExpression(node) {
        if (isDate(node.callee)) context.report({ node, message: clockMessage });
      },
      MemberExpression(node) {
        const throughGlobal = node.object.type === 'MemberExpression' && isDate(node.object);
        if (throughGlobal && node.property.name === 'now') context.report({ node, message: clockMessage });
      },
    };
  },
};

export default {
  meta: { name: 'purity' },
  rules: { 'no-node-import': noNodeImport, 'no-clock-read': noClockRead },
};
