/**
 * The live view of a run at a terminal: lanes, phase, budget and best metric, redrawn in place. It shows recorded
 * facts only: a bar moves when a message came, never with time (PROTO-13).
 */
import { currentRound, laneLetter, laneRows, type DispatchRow, type State } from '@x/conference-core';
import type { ConferenceEvent } from '@x/protocol';
import { displayWidth } from './display-width.ts';
import { eventLine } from './event-line.ts';
import { terminalText } from './terminal-text.ts';

/** Lanes that are drawn one by one; beyond, they are counted. */
const LANES_SHOWN_MAX = 16;
const EVENTS_SHOWN = 5;
const FRAME_MS = 80;
const BAR_CELLS = 24;
/** Lines of the picture besides the lanes: goal, state, poster, review, iterations, best, events, hint. */
const OTHER_LINES = 7 + EVENTS_SHOWN;
/** A terminal that does not say its size. */
const COLUMNS_UNKNOWN = 80;
const ROWS_UNKNOWN = 24;

const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, blue: 34, bold: 1 } as const;

function paint(colour: keyof typeof COLOURS, text: string): string {
  return `\u001B[${COLOURS[colour]}m${text}\u001B[0m`;
}

export interface LiveView {
  event(event: ConferenceEvent): void;
  /** A line that stays: it stands above the picture. */
  note(line: string): void;
  pause(): void;
  resume(): void;
  /** Draws a last time and leaves the picture standing. */
  stop(): void;
}

export interface Screen {
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
}

export function createLiveView(stateOf: () => State, screen: Screen): LiveView {
  const recent: string[] = [];
  let drawn = 0;
  let timer: NodeJS.Timeout | null = null;
  let paused = false;
  const draw = (): void => {
    timer = null;
    if (paused) return;
    // What wraps or scrolls could not be drawn over: the picture fits the terminal, whatever its size.
    const width = screen.columns() || COLUMNS_UNKNOWN;
    const height = (screen.rows() || ROWS_UNKNOWN) - 1;
    const lines = picture(stateOf(), recent, height - OTHER_LINES)
      .slice(0, Math.max(1, height))
      .map((line) => fit(line, width));
    screen.write(`${erase()}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const erase = (): string => (drawn === 0 ? '' : `\u001B[${drawn}F\u001B[0J`);
  return {
    event: (event) => {
      const line = eventLine(event);
      if (line !== null) recent.push(line);
      if (recent.length > EVENTS_SHOWN) recent.shift();
      timer ??= setTimeout(draw, FRAME_MS);
    },
    note: (line) => {
      if (paused) return screen.write(`${line}\n`);
      screen.write(`${erase()}${line}\n`);
      drawn = 0;
      draw();
    },
    pause: () => {
      draw();
      paused = true;
    },
    resume: () => {
      paused = false;
      drawn = 0;
      draw();
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      draw();
    },
  };
}

function picture(state: State, recent: readonly string[], lanesMax: number): string[] {
  const plan = state.planned?.plan;
  if (plan === undefined) return ['…'];
  const round = currentRound(state);
  const head = paint('bold', terminalText(plan.goal).slice(0, 70));
  const at = `${state.state}${state.phase === null ? '' : ` · ${state.phase}`}${round === null ? '' : ` · round ${round.round} of at most ${plan.max_rounds}`}`;
  const bests = state.rounds.map(({ best_metric }) => best_metric ?? '–');
  return [
    head,
    paint(state.state === 'BLOCKED' ? 'red' : 'blue', at),
    ...(round === null ? [] : laneLines(round, Math.min(lanesMax, LANES_SHOWN_MAX))),
    `iterations ${bar(state.iterations_spent, plan.max_total_iterations)} ${state.iterations_spent} of ${plan.max_total_iterations}`,
    bests.length === 0
      ? paint('dim', 'no round is reviewed yet')
      : `best by round  ${bests.map(terminalText).join('  ')}`,
    ...recent.map((line) => paint('dim', line)),
    ...(state.closing.receipt === null ? [paint('dim', 'Ctrl-C to cancel')] : []),
  ];
}

function laneLines(round: NonNullable<ReturnType<typeof currentRound>>, lanesMax: number): string[] {
  const rows = laneRows(round);
  if (rows.length > lanesMax) {
    const received = rows.filter((row) => row?.state === 'received').length;
    return [`lanes ${bar(received, rows.length)} ${received} of ${rows.length} received`];
  }
  const lanes = rows.map((row, index) => `  ${laneLetter(index)}  ${laneState(row)}`);
  const poster = round.rows[round.poster.row ?? -1];
  const review = round.rows[round.review.row ?? -1];
  return [
    ...lanes,
    ...(poster === undefined ? [] : [`  poster  ${laneState(poster)}`]),
    ...(review === undefined ? [] : [`  review  ${laneState(review)}`]),
  ];
}

function laneState(row: DispatchRow | null): string {
  if (row === null) return paint('dim', 'waiting for a slot');
  switch (row.state) {
    case 'dispatched':
      return paint('yellow', 'dispatched');
    case 'received': {
      const values = (row.facts?.measurements ?? []).map(({ value }) => terminalText(value)).slice(0, 4);
      return `${paint('green', row.facts?.status === 'blocked' ? 'blocked' : 'received')} ${values.join(' ')}`;
    }
    default:
      return `${paint('red', row.state)} ${row.code ?? ''}`;
  }
}

function bar(done: number, of: number): string {
  const cells = of === 0 ? 0 : Math.min(BAR_CELLS, Math.round((done / of) * BAR_CELLS));
  return `${'█'.repeat(cells)}${'░'.repeat(BAR_CELLS - cells)}`;
}

/** Cut to the width of the terminal; escapes take no columns. */
function fit(line: string, columns: number): string {
  let width = 0;
  let out = '';
  // oxlint-disable-next-line no-control-regex -- our own colour escapes are told apart from text
  for (const piece of line.split(/(\u001B\[\d+m)/)) {
    if (piece.startsWith('\u001B')) {
      out += piece;
      continue;
    }
    for (const char of piece) {
      width += displayWidth(char);
      if (width >= columns) return `${out}\u001B[0m`;
      out += char;
    }
  }
  return out;
}
