/**
 * The words of a layout: what the dry run prints and what herdr is asked to build (06 Layout).
 *
 * Boundary: types only. A planned pane names its env file; only a live start turns that into values,
 * and the two kinds of pane are two types so that neither can be mistaken for the other.
 */

/** `right` puts `second` to the right of `first`, `down` below it. */
export type SplitDirection = 'right' | 'down';

/** One split of a rectangle: `first` gets `ratio` (above 0, below 1) of it, `second` the rest. */
export interface SplitOf<Pane> {
  readonly type: 'split';
  readonly direction: SplitDirection;
  readonly ratio: number;
  readonly first: NodeOf<Pane>;
  readonly second: NodeOf<Pane>;
}

export type NodeOf<Pane> = Pane | SplitOf<Pane>;

interface PaneBase {
  readonly type: 'pane';
  /** The argument vector; herdr starts it without a shell. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly label: string;
}

/** A pane as planned: `env_file` is the path as the teams file has it, never its contents. */
export interface PlannedPane extends PaneBase {
  readonly env_file?: string;
}

/** A pane as printed or sent: `env` holds a mark in a dry run and the values in a live start. */
export interface WirePane extends PaneBase {
  readonly env?: Readonly<Record<string, string>>;
}

export type PlannedNode = NodeOf<PlannedPane>;
export type WireNode = NodeOf<WirePane>;

/** A workspace to be: its label and the tree of its panes. */
export interface TeamLayout {
  readonly label: string;
  readonly layout: PlannedNode;
}

/** The document that the dry run prints. */
export interface LayoutDocument {
  readonly label: string;
  readonly layout: WireNode;
}
