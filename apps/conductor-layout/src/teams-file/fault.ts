/** What can be wrong with a teams file, and how a person is told: `file:line:column: what, and what to do`. */

export type FaultCode =
  /** Not YAML 1.2, as the library reads it: indentation, quotes, brackets, a second document. */
  | 'YAML_SYNTAX'
  /** Nested deeper than the bound: not parsed at all. */
  | 'TOO_DEEP'
  /** An anchor used (`*name`) or a tag (`!name`): this file is text, written out. */
  | 'YAML_FEATURE'
  /** A list where a map must be, and the like. */
  | 'WRONG_SHAPE'
  /** A key, a team or a peer's name that stands twice in the same place. */
  | 'DUPLICATE'
  /** A key that a peer does not have; the nearest one is named. */
  | 'UNKNOWN_KEY'
  /** A key that a peer must have. */
  | 'MISSING_KEY'
  /** A value outside what is accepted. */
  | 'VALUE_REFUSED';

/** One fault at its place. `line` and `column` count from 1; columns are UTF-16 code units. */
export interface Fault {
  readonly code: FaultCode;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** More faults than a screen holds help nobody; the rest are counted. */
const FAULTS_SHOWN_MAX = 50;

/** The faults of a file as lines that editors and terminals can jump to. */
export function faultLines(file: string, faults: readonly Fault[]): string[] {
  const lines = faults
    .slice(0, FAULTS_SHOWN_MAX)
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const hidden = faults.length - lines.length;
  return hidden > 0 ? [...lines, `${file}: and ${hidden} more`] : lines;
}
