/**
 * What a herdr keeps: workspaces, their tabs and panes, and what each request does to them.
 *
 * Boundary: no socket. Only the methods that a layout launcher may call; every other one is refused.
 * Louder than the real server: that one ignores a parameter it does not know, this one refuses it by name.
 */

export interface FakePane {
  readonly paneId: string;
  readonly label: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface FakeTab {
  readonly tabId: string;
  readonly panes: readonly FakePane[];
}

export interface FakeWorkspace {
  readonly workspaceId: string;
  readonly label: string;
  readonly cwd: string;
  readonly tabs: FakeTab[];
}

export type Params = Readonly<Record<string, unknown>>;

export type Reply =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: string; readonly message: string } };

export interface Session {
  readonly workspaces: readonly FakeWorkspace[];
  /** Adds a workspace as another program would have. */
  addWorkspace(label: string, cwd?: string): FakeWorkspace;
  handle(method: string, params: Params): Reply;
}

const KNOWN_PARAMS: Readonly<Record<string, readonly string[]>> = {
  ping: [],
  'workspace.list': [],
  'workspace.create': ['label', 'cwd', 'focus', 'env'],
  'workspace.close': ['workspace_id'],
  'layout.apply': ['workspace_id', 'root', 'focus', 'tab_id', 'tab_label'],
  'tab.close': ['tab_id'],
};

const KNOWN_NODE_KEYS = {
  pane: ['type', 'command', 'cwd', 'label', 'env', 'pane_id'],
  split: ['type', 'direction', 'ratio', 'first', 'second'],
} as const;

/** What a method works on. */
interface State {
  readonly protocol: number;
  readonly version: string;
  readonly workspaces: FakeWorkspace[];
  readonly nextId: (kind: string) => string;
}

export function openSession(options: { readonly protocol: number; readonly version: string }): Session {
  let lastNumber = 0;
  const nextId = (kind: string): string => `${kind}${(lastNumber += 1)}`;
  const state: State = { ...options, workspaces: [], nextId };
  return {
    workspaces: state.workspaces,
    addWorkspace: (label, cwd = '/') => addWorkspace(state, label, cwd).workspace,
    handle(method, params) {
      const known = KNOWN_PARAMS[method];
      const handler = METHODS[method];
      if (known === undefined || handler === undefined)
        return refused('unknown_method', `no method ${method}`);
      const unknown = Object.keys(params).filter((name) => !known.includes(name));
      if (unknown.length > 0) return refused('unknown_param', `${method} has no ${unknown.join(', ')}`);
      return handler(state, params);
    },
  };
}

const METHODS: Readonly<Record<string, (state: State, params: Params) => Reply>> = {
  ping: ({ protocol, version }) => ({ result: { type: 'pong', protocol, version, capabilities: null } }),
  'workspace.list': ({ workspaces }) => ({
    result: { type: 'workspace_list', workspaces: workspaces.map(workspaceInfo) },
  }),
  'workspace.create': createWorkspace,
  'workspace.close'(state, { workspace_id }) {
    const workspace = state.workspaces.find((each) => each.workspaceId === workspace_id);
    if (workspace === undefined) return notFound('workspace', workspace_id);
    remove(state, workspace);
    return { result: { type: 'ok' } };
  },
  'layout.apply': applyLayout,
  'tab.close'(state, { tab_id }) {
    const workspace = state.workspaces.find(({ tabs }) => tabs.some(({ tabId }) => tabId === tab_id));
    if (workspace === undefined) return notFound('tab', tab_id);
    const at = workspace.tabs.findIndex(({ tabId }) => tabId === tab_id);
    workspace.tabs.splice(at, 1);
    if (workspace.tabs.length === 0) remove(state, workspace);
    return { result: { type: 'ok' } };
  },
};

function createWorkspace(state: State, { label, cwd }: Params): Reply {
  if (typeof label !== 'string' || typeof cwd !== 'string') {
    return refused('invalid_params', 'label and cwd are texts');
  }
  const { workspace, tab, pane } = addWorkspace(state, label, cwd);
  return {
    result: {
      type: 'workspace_created',
      workspace: workspaceInfo(workspace, state.workspaces.length - 1),
      tab: tabInfo(workspace, tab),
      root_pane: paneInfo(workspace, tab, pane),
    },
  };
}

function applyLayout(state: State, { workspace_id, root }: Params): Reply {
  const workspace = state.workspaces.find((each) => each.workspaceId === workspace_id);
  if (workspace === undefined) return notFound('workspace', workspace_id);
  const panes: FakePane[] = [];
  const wrong = readNode(root, panes, () => state.nextId('p'));
  if (wrong !== null) return refused('invalid_params', wrong);
  const tab: FakeTab = { tabId: state.nextId('t'), panes };
  workspace.tabs.push(tab);
  const focused_pane_id = panes[0]?.paneId ?? '';
  const layout = { workspace_id, tab_id: tab.tabId, zoomed: false, focused_pane_id, root };
  return { result: { type: 'layout_apply', layout } };
}

/** A new workspace has one tab with one shell in it. */
function addWorkspace(
  state: State,
  label: string,
  cwd: string,
): { readonly workspace: FakeWorkspace; readonly tab: FakeTab; readonly pane: FakePane } {
  const pane: FakePane = { paneId: state.nextId('p'), label: '', command: [], cwd, env: {} };
  const tab: FakeTab = { tabId: state.nextId('t'), panes: [pane] };
  const workspace: FakeWorkspace = { workspaceId: state.nextId('w'), label, cwd, tabs: [tab] };
  state.workspaces.push(workspace);
  return { workspace, tab, pane };
}

function remove(state: State, workspace: FakeWorkspace): void {
  state.workspaces.splice(state.workspaces.indexOf(workspace), 1);
}

function notFound(kind: string, id: unknown): Reply {
  return refused(`${kind}_not_found`, `no ${kind} ${JSON.stringify(id)}`);
}

function refused(code: string, message: string): Reply {
  return { error: { code, message } };
}

/** Gathers the panes of a tree; gives what is wrong with it, or null. */
function readNode(node: unknown, panes: FakePane[], nextId: () => string): string | null {
  if (!isRecord(node)) return 'a node is an object';
  const { type } = node;
  if (type !== 'pane' && type !== 'split') return 'a node is a pane or a split';
  const known: readonly string[] = KNOWN_NODE_KEYS[type];
  const unknown = Object.keys(node).filter((key) => !known.includes(key));
  if (unknown.length > 0) return `a ${type} has no ${unknown.join(', ')}`;
  if (type === 'split') {
    const { direction, ratio, first, second } = node;
    if (direction !== 'right' && direction !== 'down') return 'direction is right or down';
    if (typeof ratio !== 'number' || ratio <= 0 || ratio >= 1) return 'ratio is a number between 0 and 1';
    return readNode(first, panes, nextId) ?? readNode(second, panes, nextId);
  }
  const { command, cwd, label, env } = node;
  if (!isTexts(command) || command.length === 0) return 'command is a list of texts';
  if (typeof cwd !== 'string' || typeof label !== 'string') return 'cwd and label are texts';
  const values = env ?? {};
  if (!isRecord(values) || !isTexts(Object.values(values))) return 'env holds texts';
  const pairs = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  panes.push({ paneId: nextId(), label, command, cwd, env: Object.fromEntries(pairs) });
  return null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function workspaceInfo(workspace: FakeWorkspace, index: number): Readonly<Record<string, unknown>> {
  return {
    workspace_id: workspace.workspaceId,
    number: index + 1,
    label: workspace.label,
    focused: false,
    pane_count: workspace.tabs.reduce((sum, { panes }) => sum + panes.length, 0),
    tab_count: workspace.tabs.length,
    active_tab_id: workspace.tabs[0]?.tabId ?? '',
    agent_status: 'unknown',
  };
}

function tabInfo(workspace: FakeWorkspace, tab: FakeTab): Readonly<Record<string, unknown>> {
  return {
    tab_id: tab.tabId,
    workspace_id: workspace.workspaceId,
    number: workspace.tabs.indexOf(tab) + 1,
    label: '',
    focused: false,
    pane_count: tab.panes.length,
    agent_status: 'unknown',
  };
}

function paneInfo(workspace: FakeWorkspace, tab: FakeTab, pane: FakePane): Readonly<Record<string, unknown>> {
  return {
    pane_id: pane.paneId,
    terminal_id: `terminal-${pane.paneId}`,
    workspace_id: workspace.workspaceId,
    tab_id: tab.tabId,
    focused: false,
    agent_status: 'unknown',
    revision: 0,
    cwd: pane.cwd,
  };
}
