/**
 * What `pnpm test` was asked to do.
 *
 * Boundary: the command line in, one complete record or a sentence out.
 */
import { parseArgs } from 'node:util';

export type TestRunOptions = {
  /** Heavy proofs run in full: tests see FULL=1. */
  readonly full: boolean;
  /** Parts of paths; a test file runs when its path holds one of them. Empty: all. */
  readonly paths: readonly string[];
  /** Only tests whose title matches this pattern. */
  readonly titlePattern: string | undefined;
  /** A part of the tests says nothing about what the others cover. */
  readonly partial: boolean;
};

export type ReadOptions =
  | { readonly code: 'options'; readonly options: TestRunOptions }
  | { readonly code: 'help' }
  | { readonly code: 'wrong'; readonly reason: string };

export const testUsage = `usage: pnpm test [--full] [-t PATTERN] [PATH…]
  --full   heavy proofs in full (minutes to hours); without it a fixed small part of each
  -t       only tests whose title matches PATTERN
  PATH     only test files whose path holds PATH, e.g. packages/ledger
`;

export const readTestArguments = (args: readonly string[]): ReadOptions => {
  try {
    const { values, positionals } = parseArgs({
      // pnpm hands a separating `--` on.
      args: args.filter((argument) => argument !== '--'),
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        testNamePattern: { type: 'string', short: 't' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { code: 'help' };
    const titlePattern = values.testNamePattern;
    const partial = positionals.length > 0 || titlePattern !== undefined;
    return { code: 'options', options: { full: values.full, paths: positionals, titlePattern, partial } };
  } catch (error) {
    return { code: 'wrong', reason: error instanceof Error ? error.message : String(error) };
  }
};
