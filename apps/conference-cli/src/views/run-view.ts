/** How a run is shown: a live picture at a terminal, one JSON event a line with `--ndjson`, plain lines elsewhere. */
import type { State } from '@x/conference-core';
import type { ConferenceEvent } from '@x/protocol';
import type { CliContext } from '../context.ts';
import { eventLine } from './event-line.ts';
import { createLiveView } from './live-view.ts';

export interface RunView {
  readonly event: (event: ConferenceEvent & { readonly seq: number }) => void;
  /** A diagnostic for the person at the terminal: on stderr, and never across the picture. */
  readonly note: (line: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => void;
}

export interface RunViewOptions {
  readonly ndjson: boolean;
  readonly rich: boolean;
  /** Nothing is shown but the document at the end. */
  readonly quiet: boolean;
}

export function createRunView(context: CliContext, options: RunViewOptions, stateOf: () => State): RunView {
  const still = { note: context.err, pause: () => undefined, resume: () => undefined, stop: () => undefined };
  if (options.ndjson) {
    return {
      ...still,
      event: ({ event, seq, timestamp, payload }) =>
        context.out(`${JSON.stringify({ event, seq, timestamp, payload })}\n`),
    };
  }
  if (options.quiet) return { ...still, event: () => undefined };
  if (options.rich) {
    const { stdout } = context.node;
    return createLiveView(stateOf, {
      columns: () => stdout.columns,
      rows: () => stdout.rows,
      write: (text) => void stdout.write(text),
    });
  }
  return {
    ...still,
    event: (event) => {
      const line = eventLine(event);
      if (line !== null) context.out(`${line}\n`);
    },
  };
}
