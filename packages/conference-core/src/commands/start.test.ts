/** The bugs: a start without a confirmation, with another plan, without a grant, or over a host that cannot delegate. */
import { capabilitySchema, type Grant, type Plan } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { execute, pureRoot, type PureRoot } from '../../test/support/pure-root.ts';
import { run, standing } from '../../test/support/steps.ts';
import { nextActions } from '../next-actions.ts';
import { allRows } from '../state.ts';

const GRANT: Grant = { grant_id: 'g', root: '/granted', actions: ['write'], revision: 1, granted_by: 'test' };

function confirm(root: PureRoot, changes: { digest?: string; reports_cost?: boolean } = {}): string {
  execute(root, {
    command: 'confirm',
    plan_digest: changes.digest ?? root.state.planned?.plan_digest ?? '',
    capability: { delegate_task: true, slots: 1, reports_cost: changes.reports_cost ?? true },
    confirmed_by: 'test',
  });
  return root.refused?.code ?? 'CONFIRMED';
}

describe('a plan', () => {
  test('is left only by a confirmation that names its digest [AUTO-11]', () => {
    const root = pureRoot();
    expect(nextActions(root.state, { freeSlots: 4 })).toEqual([{ action: 'confirm' }]);
    run('wait 600m; expire', {}, root);
    expect(standing(root)).toBe('PLANNING - r0');
    const digest = root.state.planned?.plan_digest ?? '';
    for (const wrong of ['', 'sha256:', digest.toUpperCase(), `${digest} `, `sha256:${'0'.repeat(64)}`]) {
      expect(confirm(root, { digest: wrong })).toBe('PLAN_DIGEST_MISMATCH');
      expect(standing(root)).toBe('PLANNING - r0');
    }
    expect(confirm(root)).toBe('CONFIRMED');
    expect(standing(root)).toBe('CONFIRMED - r0');
  });

  test('with a write root needs a grant first [AUTO-09]', () => {
    const root = pureRoot({ write_root: '/granted' });
    expect(confirm(root)).toBe('GRANT_REQUIRED');
    execute(root, { command: 'grant', grant: GRANT });
    execute(root, { command: 'revoke_grant', reason: 'second thoughts' });
    expect(confirm(root)).toBe('GRANT_REQUIRED');
    execute(root, { command: 'grant', grant: GRANT });
    expect(confirm(root)).toBe('CONFIRMED');
  });

  test('with a cost budget is refused where the host reports no cost, at confirm and at start [CONF-34]', () => {
    const costly: Partial<Plan> = { cost_budget: '2' };
    expect(confirm(pureRoot(costly), { reports_cost: false })).toBe('COST_NOT_REPORTED');
    const root = pureRoot(costly);
    confirm(root);
    execute(root, {
      command: 'attach',
      driver: 'embedded',
      host: 'test',
      capability: { delegate_task: true, slots: 1 },
      temporary_roots: false,
    });
    expect(root.refused?.code).toBe('COST_NOT_REPORTED');
    expect(standing(root)).toBe('CONFIRMED - r0');
  });

  test('is confirmed once: again is nothing, and a second plan is refused [AUTO-11]', () => {
    const root = pureRoot();
    confirm(root);
    const events = root.events.length;
    expect(confirm(root)).toBe('CONFIRMED');
    expect(root.events).toHaveLength(events);
  });
});

describe('a host without delegate_task', () => {
  test.each([
    ['confirm unable', 'PLANNING'],
    ['confirm; attach unable', 'CONFIRMED'],
    ['start; issue; attach unable', 'COLLECTING'],
  ])('blocks before anything more is dispatched: %s [AUTO-06]', (steps, from) => {
    const root = run(steps);
    expect(root.state.state).toBe('BLOCKED');
    expect(root.state.blocked).toMatchObject({
      code: 'BLOCKED_MULTI_AGENT_UNAVAILABLE',
      from: { state: from },
    });
    expect(nextActions(root.state, { freeSlots: 9 }).map(({ action }) => action)).not.toContain('issue');
    expect([...allRows(root.state)]).toHaveLength(from === 'COLLECTING' ? 3 : 0);
  });

  test('is asked again by a decision, and only by one [AUTO-06 CONF-06]', () => {
    const root = run('confirm unable; attach; expire; wait 60m; expire');
    expect(root.state.state).toBe('BLOCKED');
    run('answer retry; confirm unable', {}, root);
    expect(standing(root)).toBe('BLOCKED - r0 asks multi_agent_unavailable');
    run('answer retry; start', {}, root);
    expect(standing(root)).toBe('DISPATCHING research r1');
  });
});

test('a capability is delegate_task, at least one slot, and perhaps cost; nothing else [CONF-10]', () => {
  const ok = (value: unknown): boolean => capabilitySchema.safeParse(value).success;
  expect(ok({ delegate_task: true, slots: 1 })).toBe(true);
  expect(ok({ delegate_task: true, slots: 1, reports_cost: false })).toBe(true);
  for (const slots of [0, -1, 1.5, Number.NaN, Infinity, '1', null])
    expect(ok({ delegate_task: true, slots })).toBe(false);
  expect(ok({ slots: 1 })).toBe(false);
  expect(ok({ delegate_task: 'yes', slots: 1 })).toBe(false);
  expect(ok({ delegate_task: true, slots: 1, models: ['x'] })).toBe(false);
});
