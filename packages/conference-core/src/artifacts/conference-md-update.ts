/**
 * What the root maintains in the user's own conference.md (03 conference.md; source 001 Root-owned outputs): rows of the
 * Conference Log and the approved shared knowledge, as Markdown whose foreign text is inert.
 *
 * Boundary: says what is to stand there, never where; whoever writes the file merges it in and keeps the user's bytes.
 * At most `LOG_ROWS_MAX` + `KNOWLEDGE_MAX` packets are read, however long the conference is.
 */
import type { ConferenceId, Plan, Verdict } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { metricOf } from '../convergence-input.ts';
import type { MetricConfig } from '../convergence/input.ts';
import { isBetter, readMeasurement } from '../convergence/measurement.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneLetter } from '../lane.ts';
import type { Decimal } from '../plan/quantity.ts';
import { laneRows, type Round } from '../round.ts';
import type { State } from '../state.ts';
import { inline } from './inert-text.ts';
import { code, counted, shortDigest } from './markdown.ts';
import { RESULTS_TSV } from './paths.ts';
import { countedRounds, researchPacketOf } from './stored-packet.ts';

/** Rows of the log, one a round and lane; the lanes after them are one row that says how many they are. */
const LOG_ROWS_MAX = 200;
/** Findings in the shared knowledge; the rest are counted. */
const KNOWLEDGE_MAX = 50;
/** Code points of a finding in a cell of the log. */
const KEY_FINDING_POINTS_MAX = 200;

/** Cells in the order of the log: round, researcher, best metric, key finding, status. Markdown already. */
export type LogRow = readonly [string, string, string, string, string];

export interface ConferenceMdUpdate {
  /** Whose rows and findings these are: what another conference left in the file is not touched. */
  readonly conference_id: ConferenceId;
  readonly log: readonly LogRow[];
  /** Items of a list, Markdown already; empty while nothing is validated. */
  readonly knowledge: readonly string[];
}

/** Whether a person decided in this round to take the files as they are now (01 State and phase, STALE). */
export function takenAsFound(state: State): boolean {
  return state.answered.some(
    ({ kind, option, round }) => kind === 'stale_state' && option === 'revalidate' && round === state.round,
  );
}

type Metric = MetricConfig['metric'] | null;

/** What stands for the reviewed rounds so far. Null without a plan. */
export function* conferenceMdUpdate(state: State): Reading<ConferenceMdUpdate | null> {
  const { planned } = state;
  if (planned === null) return null;
  const rounds = countedRounds(state).filter(({ reviewed }) => reviewed);
  const metric = metricOf(planned.plan);
  return {
    conference_id: planned.conference_id,
    log: yield* logRows(planned.plan, metric, rounds),
    knowledge: yield* knowledgeItems(metric, rounds),
  };
}

interface Seat {
  readonly round: number;
  readonly lane: number;
  readonly row: DispatchRow | null;
}

function* logRows(plan: Plan, metric: Metric, rounds: readonly Round[]): Reading<LogRow[]> {
  const rows: LogRow[] = [];
  const rest: Seat[] = [];
  for (const round of rounds) {
    for (const [lane, row] of laneRows(round).entries()) {
      const seat = { round: round.round, lane, row };
      if (rows.length < LOG_ROWS_MAX) rows.push(yield* logRow(plan, metric, seat));
      else rest.push(seat);
    }
  }
  return rest.length === 0 ? rows : [...rows, summaryRow(metric, rest)];
}

function* logRow(plan: Plan, metric: Metric, { round, lane, row }: Seat): Reading<LogRow> {
  const best = metric === null || row === null ? null : bestOf(row, metric);
  const shown = plan.mode === 'metric' ? (best?.text ?? null) : scoreText(row);
  return [
    String(round),
    laneLetter(lane),
    shown === null ? '-' : inline(shown, KEY_FINDING_POINTS_MAX),
    yield* keyFinding(row, best?.index ?? null),
    statusText(row, best?.verdict),
  ];
}

function scoreText(row: DispatchRow | null): string | null {
  return row === null || row.score === null ? null : `${row.score}/10`;
}

interface LaneBest {
  readonly index: number;
  readonly text: string;
  readonly value: Decimal;
  readonly verdict: Verdict | null;
}

/** A value that holds is better than one that does not, however good it looks. */
const RANKS = { validated: 0, none: 1, challenged: 1, overturned: 2 } as const;

function bestOf(row: DispatchRow, metric: MetricConfig['metric']): LaneBest | null {
  let best: LaneBest | null = null;
  for (const [index, measurement] of (row.facts?.measurements ?? []).entries()) {
    const reading = readMeasurement(metric, measurement);
    if (!reading.usable) continue;
    const verdict = row.measurement_verdicts[index] ?? null;
    const { value } = reading;
    if (best !== null) {
      const ahead = RANKS[verdict ?? 'none'] - RANKS[best.verdict ?? 'none'];
      if (ahead > 0 || (ahead === 0 && !isBetter(metric.direction, value, best.value))) continue;
    }
    best = { index, text: measurement.value, value, verdict };
  }
  return best;
}

/** The claim beside the best measurement, else the first that holds, else the first; or why there is none. */
function* keyFinding(row: DispatchRow | null, index: number | null): Reading<string> {
  if (row === null) return 'not dispatched';
  if (row.state !== 'received') {
    const why = [row.code ?? '', row.reason ?? ''].filter((part) => part !== '').join(': ');
    return why === '' ? '-' : inline(why, KEY_FINDING_POINTS_MAX);
  }
  const packet = yield* researchPacketOf(row);
  const holds = row.claim_verdicts.indexOf('validated');
  const claim = packet?.claims[index ?? Math.max(0, holds)]?.claim ?? packet?.uncertainties[0];
  return claim === undefined ? '-' : inline(claim, KEY_FINDING_POINTS_MAX);
}

/** What the review said of the best value; without one, of the lane's claims; or how the dispatch ended. */
function statusText(row: DispatchRow | null, best: Verdict | null | undefined): string {
  if (row === null) return '-';
  if (row.state !== 'received') return row.state;
  if (row.facts?.status === 'blocked') return 'blocked';
  if (best !== undefined) return best ?? 'not reviewed';
  for (const verdict of ['validated', 'challenged', 'overturned'] as const) {
    if (row.claim_verdicts.includes(verdict)) return verdict;
  }
  return 'not reviewed';
}

function summaryRow(metric: Metric, rest: readonly Seat[]): LogRow {
  const first = rest[0]?.round ?? 0;
  const last = rest.at(-1)?.round ?? first;
  let best: LaneBest | null = null;
  let validated = 0;
  for (const { row } of rest) {
    if (row === null) continue;
    if (statusText(row, undefined) === 'validated') validated += 1;
    const own = metric === null ? null : bestOf(row, metric);
    if (own?.verdict !== 'validated' || metric === null) continue;
    if (best === null || isBetter(metric.direction, own.value, best.value)) best = own;
  }
  return [
    first === last ? String(first) : `${first}–${last}`,
    `${rest.length} more`,
    best === null ? '-' : inline(best.text, KEY_FINDING_POINTS_MAX),
    `all of them stand in ${code(RESULTS_TSV)}`,
    `${validated} with validated claims`,
  ];
}

interface Finding {
  readonly round: number;
  readonly row: DispatchRow;
  readonly index: number;
  /** Null where nothing can be compared. */
  readonly value: Decimal | null;
}

/** Validated findings in order of round and lane; where there are too many, the best and then the newest. */
function* knowledgeItems(metric: Metric, rounds: readonly Round[]): Reading<string[]> {
  const all = rounds.flatMap((round) => validatedOf(metric, round));
  const chosen = all.length <= KNOWLEDGE_MAX ? all : bestFindings(metric, all);
  const items: string[] = [];
  for (const finding of chosen) {
    const { row, index, round } = finding;
    const packet = yield* researchPacketOf(row);
    const claim = packet?.claims[index]?.claim;
    const measured = packet?.measurements[index];
    const holds = row.measurement_verdicts[index] === 'validated' && measured !== undefined;
    const said = row.claim_verdicts[index] === 'validated' ? (claim ?? null) : null;
    const number =
      holds && said?.includes(measured.value) !== true ? `${measured.name}: ${measured.value}` : null;
    const text = [said, number].flatMap((part) => (part === null ? [] : inline(part))).join('; ');
    const from = row.digest === null ? '' : `, packet ${code(shortDigest(row.digest))}`;
    items.push(`${text} (round ${round}, lane ${laneLetter(row.lane ?? 0)}${from})`);
  }
  const more = all.length - chosen.length;
  return more === 0
    ? items
    : [...items, `${counted(more, 'more validated finding')} in the peer reviews and ${code(RESULTS_TSV)}`];
}

/** An index counts once, whether its claim, its measurement or both hold (03 Artifacts, `description`). */
function validatedOf(metric: Metric, { round, rows, lanes }: Round): Finding[] {
  const found: Finding[] = [];
  for (const seat of lanes) {
    const row = seat.row === null ? undefined : rows[seat.row];
    if (row?.state !== 'received') continue;
    const length = Math.max(row.claim_verdicts.length, row.measurement_verdicts.length);
    for (let index = 0; index < length; index += 1) {
      const measured = row.measurement_verdicts[index] === 'validated';
      if (!measured && row.claim_verdicts[index] !== 'validated') continue;
      const measurement = measured ? row.facts?.measurements?.[index] : undefined;
      const reading =
        metric === null || measurement === undefined ? null : readMeasurement(metric, measurement);
      found.push({ round, row, index, value: reading?.usable === true ? reading.value : null });
    }
  }
  return found;
}

function bestFindings(metric: Metric, all: readonly Finding[]): Finding[] {
  const order = new Map(all.map((finding, index) => [finding, index]));
  const at = (finding: Finding): number => order.get(finding) ?? 0;
  const ahead = (left: Finding, right: Finding): number => {
    if (metric !== null && left.value !== null && right.value !== null && !left.value.eq(right.value)) {
      return isBetter(metric.direction, left.value, right.value) ? -1 : 1;
    }
    if ((left.value === null) !== (right.value === null)) return left.value === null ? 1 : -1;
    return at(right) - at(left);
  };
  return all
    .toSorted(ahead)
    .slice(0, KNOWLEDGE_MAX)
    .toSorted((left, right) => at(left) - at(right));
}
