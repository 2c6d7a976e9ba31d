/**
 * Steps in words, so that a sheet's rows are data: `start`, `issue`, `A ok 9`, `A bad`, `poster ok`, `review ok`,
 * `wait 10m`, `answer stop`. The first word says who or what, the rest how.
 */
import { DECISION_OPTIONS, type DecisionOption, type Plan } from '@x/protocol';
import {
  answer,
  execute,
  issue,
  pureRoot,
  researchFacts,
  result,
  reviewFacts,
  rowAt,
  type PureRoot,
  type Sent,
} from './pure-root.ts';

const CAPABLE = { delegate_task: true, slots: 4, reports_cost: true };

/** Runs steps on a new root, or on one that stands already. Each step is one command, or all of one kind. */
export function run(steps: string, plan: Partial<Plan> = {}, root: PureRoot = pureRoot(plan)): PureRoot {
  for (const text of steps.split(/[;\n]/)) {
    const words = text.trim().split(/\s+/);
    if (words[0] !== '') take(root, words);
  }
  return root;
}

function take(root: PureRoot, [head = '', ...rest]: string[]): void {
  switch (head) {
    case 'confirm':
      confirm(root, rest[0] !== 'unable');
      break;
    case 'attach':
      attach(root, rest[0] !== 'unable');
      break;
    case 'start':
      confirm(root, true);
      attach(root, true);
      break;
    case 'issue':
      issue(root, rest);
      break;
    case 'wait':
      root.now += duration(rest[0] ?? '');
      break;
    case 'expire':
      execute(root, { command: 'expire' });
      break;
    case 'answer':
      answer(root, optionOf(rest[0] ?? ''));
      break;
    case 'cancel':
      execute(root, { command: 'cancel', reason: 'enough' });
      break;
    case 'close':
      execute(root, { command: 'close' });
      break;
    case 'stale':
      execute(root, {
        command: 'block',
        code: 'BLOCKED_STALE_CONFERENCE_STATE',
        reason: 'conference.md differs',
      });
      break;
    case 'round':
      wholeRound(root, rest[0] ?? '');
      break;
    case 'nobody':
      result(root, 'NOBODY');
      break;
    default:
      packet(root, head, rest);
  }
}

/** Every lane with this value, an accepted poster, and a review that validates everything. */
function wholeRound(root: PureRoot, value: string): void {
  issue(root);
  for (const row of root.state.rounds.at(-1)?.rows ?? []) {
    if (row.state === 'dispatched') result(root, row.dispatch_id, { facts: researchFacts([`${value} ms`]) });
  }
  run('issue; poster ok; issue; review ok', {}, root);
}

function packet(root: PureRoot, seat: string, [how = '', ...rest]: string[]): void {
  const { dispatch_id } = rowAt(root, seat);
  const cost = rest[rest.indexOf('cost') + 1];
  const values = rest.includes('cost') ? rest.slice(0, rest.indexOf('cost')) : rest;
  const paid: Sent = rest.includes('cost') && cost !== undefined ? { cost } : {};
  switch (how) {
    case 'ok':
      result(root, dispatch_id, { ...paid, facts: okFacts(root, seat, values) });
      break;
    case 'stuck':
      result(root, dispatch_id, {
        ...paid,
        facts: researchFacts(
          values.map((value) => `${value} ms`),
          2,
        ),
      });
      break;
    case 'silent':
      result(root, dispatch_id, { ...paid, facts: { status: 'completed', claims: 1, stuck_level: 0 } });
      break;
    case 'blocked':
      result(root, dispatch_id, {
        ...paid,
        facts: { status: 'blocked', claims: 0, ...(isLane(seat) ? { stuck_level: 0 } : {}) },
      });
      break;
    case 'overturns':
      result(root, dispatch_id, { ...paid, facts: reviewFacts(root, 'overturned') });
      break;
    case 'ignores':
      result(root, dispatch_id, { ...paid, facts: reviewFacts(root, null) });
      break;
    case 'bad':
      result(root, dispatch_id, { ...paid, refused: true });
      break;
    case 'again':
      result(root, dispatch_id);
      break;
    case 'other':
      result(root, dispatch_id, { bytes: rest[0] ?? 'other' });
      break;
    case 'lost':
      execute(root, { command: 'fail', dispatch_id, code: 'host_failed', reason: 'exit code 1', ...paid });
      break;
    default:
      throw new Error(`no step ${seat} ${how}`);
  }
}

function okFacts(root: PureRoot, seat: string, values: readonly string[]): NonNullable<Sent['facts']> {
  if (seat === 'review') return reviewFacts(root, 'validated', Number(values[0] ?? 7));
  if (!isLane(seat)) return { status: 'completed', claims: 0 };
  return researchFacts(values.map((value) => (/^\d/.test(value) ? `${value} ms` : value)));
}

function isLane(seat: string): boolean {
  return /^[A-Z]+$/.test(seat);
}

function confirm(root: PureRoot, able: boolean): void {
  execute(root, {
    command: 'confirm',
    plan_digest: root.state.planned?.plan_digest ?? '',
    capability: able ? CAPABLE : { delegate_task: false, slots: 1 },
    confirmed_by: 'test',
  });
}

function attach(root: PureRoot, able: boolean): void {
  execute(root, {
    command: 'attach',
    driver: 'embedded',
    host: 'test',
    capability: able ? CAPABLE : { delegate_task: false, slots: 1 },
    temporary_roots: false,
  });
}

function duration(text: string): number {
  const [, number, unit] = /^(\d+)(ms|s|m)$/.exec(text) ?? [];
  if (number === undefined) throw new Error(`no duration: ${text}`);
  return Number(number) * (unit === 'm' ? 60_000 : unit === 's' ? 1_000 : 1);
}

function optionOf(text: string): DecisionOption {
  const known = DECISION_OPTIONS.find((option) => option === text);
  if (known === undefined) throw new Error(`no option ${text}`);
  return known;
}

/** Where a conference stands, in one line: `COLLECTING research r1`, with the pending decision where there is one. */
export function standing(root: PureRoot): string {
  const { state, phase, round, pending } = root.state;
  const words = [state, phase ?? '-', `r${round}`];
  return pending === null ? words.join(' ') : `${words.join(' ')} asks ${pending.kind}`;
}

/** Every transition so far: `PLANNING>CONFIRMED>DISPATCHING …`, blocks and phases included. */
export function path(root: PureRoot): string {
  const states = root.events.flatMap((event) =>
    event.event === 'state.transitioned' ? [event.payload.next_state] : [],
  );
  return ['PLANNING', ...states].join('>');
}
