/**
 * From planned panes, which name an env file, to panes as printed or sent, which hold an `env`.
 *
 * E1  Values enter a tree in `withValues` alone; only the live start calls it.
 */
import type {
  LayoutDocument,
  NodeOf,
  PlannedNode,
  PlannedPane,
  TeamLayout,
  WireNode,
} from './layout-node.ts';

/** Stands for the variables of a file that was not read. No variable can have this name. */
const UNREAD_MARK = '<env_file>';

/** The document of a dry run: of an env file it says only that there is one, and which. */
export function layoutDocument(plan: TeamLayout): LayoutDocument {
  return { label: plan.label, layout: withEnv(plan.layout, (file) => ({ [UNREAD_MARK]: file })) };
}

/** The tree of a live start. A file that is missing from `values` is a bug: all are read before anything starts. */
export function withValues(
  root: PlannedNode,
  values: ReadonlyMap<string, Readonly<Record<string, string>>>,
): WireNode {
  return withEnv(root, (file) => {
    const env = values.get(file);
    if (env === undefined) throw new Error(`env file ${file} was not read`);
    return env;
  });
}

/** The env files of a plan, each once. */
export function envFilesOf(root: PlannedNode): string[] {
  const files = new Set<string>();
  for (const { env_file } of panesOf(root)) if (env_file !== undefined) files.add(env_file);
  return [...files];
}

/** The panes of a tree in the order of the plan. */
export function panesOf<Pane extends { readonly type: 'pane' }>(root: NodeOf<Pane>): Pane[] {
  return root.type === 'pane' ? [root] : [...panesOf(root.first), ...panesOf(root.second)];
}

function withEnv(node: PlannedNode, envOf: (file: string) => Readonly<Record<string, string>>): WireNode {
  if (node.type === 'split') {
    const { type, direction, ratio } = node;
    return { type, direction, ratio, first: withEnv(node.first, envOf), second: withEnv(node.second, envOf) };
  }
  return paneWithEnv(node, envOf);
}

function paneWithEnv(
  { env_file, ...pane }: PlannedPane,
  envOf: (file: string) => Readonly<Record<string, string>>,
): WireNode {
  return env_file === undefined ? pane : { ...pane, env: envOf(env_file) };
}
