/**
 * The bugs: something sent that is not recorded, a state that moved without its ledger, a secret that went out, a person
 * who thinks while results are lost, a signal that cancels what it should only stop.
 */
import { type Charter, type DecisionOption, type Grant, type Plan } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import {
  answering,
  drive,
  embedded,
  NOBODY,
  wellBehaved,
  type Embedded,
} from '../../test/support/embedded.ts';
import { fold } from '../decide.ts';
import { allRows, INITIAL_STATE, openRows } from '../state.ts';
import {
  manualClock,
  memoryArtifacts,
  memoryLedger,
  packetMessage,
  researchPacket,
  scriptedHost,
  type Script,
} from '../testing/index.ts';
import { openChair } from './chair.ts';
import type { Asker, DelegateHost, HostMessage, SecretScanner } from './ports.ts';

const PLAN: Partial<Plan> = { lanes: 2, iterations_per_round: 1, max_rounds: 2, max_total_iterations: 8 };
const FULL_DISK = { status: 'refused', code: 'LEDGER_NO_SPACE', message: 'no space left on device' } as const;
const GRANT: Grant = { grant_id: 'g', root: '/granted', actions: ['write'], revision: 1, granted_by: 'test' };

const isFolded = ({ chair, ledger }: Embedded): void =>
  expect(fold(ledger.events, INITIAL_STATE)).toEqual(chair.state);

function attach({ chair }: Embedded): void {
  const capability = { delegate_task: true, slots: 4, reports_cost: true };
  chair.execute({ command: 'attach', driver: 'embedded', host: 'test', capability, temporary_roots: false });
}

function proposalsOf({ chair }: Embedded, slots = 9) {
  return chair.actions(slots).flatMap((action) => (action.action === 'issue' ? [action.proposal] : []));
}

describe('a ledger that refuses', () => {
  test('leaves the state where it was, at every command [LEDG-07 LEDG-04]', async () => {
    const root = embedded(PLAN);
    attach(root);
    const before = root.chair.state;
    root.ledger.refuseNext(FULL_DISK);
    expect(await root.chair.issue(proposalsOf(root))).toEqual({ status: 'not_recorded', trouble: FULL_DISK });
    expect(root.chair.state).toBe(before);
    await root.chair.issue(proposalsOf(root));
    const issued = root.chair.state;
    const [row] = openRows(issued);
    if (row === undefined) throw new Error('nothing is out');
    root.ledger.refuseNext(FULL_DISK);
    const bytes = new TextEncoder().encode('{}');
    const [booked] = await root.chair.submit([{ dispatch_id: row.dispatch_id, bytes }]);
    expect(booked).toEqual({ status: 'not_recorded', trouble: FULL_DISK });
    expect(root.chair.state).toBe(issued);
    root.ledger.refuseNext(FULL_DISK);
    expect(root.chair.execute({ command: 'cancel', reason: 'x' }).status).toBe('not_recorded');
    expect(root.chair.state).toBe(issued);
    isFolded(root);
  });

  test('at any append of a whole run lets nothing out that is not recorded, and a second run goes on from there [LEDG-04 LEDG-07]', async () => {
    const whole = embedded(PLAN);
    await drive(whole, scriptedHost(answering(wellBehaved)));
    let stopped = 0;
    for (let at = 0; at < 60; at += 1) {
      const inner = memoryLedger();
      let appends = 0;
      const ledger = Object.defineProperties(
        {
          ...inner,
          append: (...given: Parameters<typeof inner.append>) => {
            appends += 1;
            // Two appends planned and confirmed it.
            return appends === at + 3 ? FULL_DISK : inner.append(...given);
          },
        },
        { head: { get: () => inner.head } },
      );
      const root = embedded(PLAN, { ports: { ledger } });
      const host = scriptedHost(answering(wellBehaved));
      const end = await drive(root, host);
      const recorded = new Set(
        inner.events.flatMap((event) =>
          event.event === 'dispatch.issued' ? [event.payload.dispatch_id] : [],
        ),
      );
      for (const { charter } of host.sent) expect(recorded.has(charter.dispatch_id)).toBe(true);
      expect(fold(inner.events, INITIAL_STATE)).toEqual(root.chair.state);
      if (end.end !== 'trouble') break;
      stopped += 1;
      expect(end).toMatchObject({ code: 'LEDGER_NO_SPACE' });
      expect(host.closed).toBeGreaterThan(0);
      // The next root answers again what was out, as children that still live would.
      const open = openRows(root.chair.state);
      const sent = new Map(host.sent.map(({ charter }) => [charter.dispatch_id, charter]));
      const again = scriptedHost(answering(wellBehaved));
      const resumed = {
        ...again,
        attach: (listener: (message: HostMessage) => void, ids: Parameters<(typeof again)['attach']>[1]) => {
          again.attach(listener, ids);
          for (const row of open) {
            const charter = sent.get(row.dispatch_id) ?? root.chair.charterOf(row).charter;
            listener(packetMessage(row.dispatch_id, wellBehaved(charter)));
          }
        },
      };
      const chair = openChair({ ...root.chair.ports, ledger: inner }, fold(inner.events, INITIAL_STATE));
      expect(await drive({ ...root, chair }, resumed)).toMatchObject({ end: 'done' });
      expect(chair.state.rounds.map(({ best_metric }) => best_metric)).toEqual(
        whole.chair.state.rounds.map(({ best_metric }) => best_metric),
      );
    }
    expect(stopped).toBeGreaterThan(10);
  });
});

test('content comes before the event that names it: a store that refuses leaves the dispatch open and the ledger untouched [LEDG-04]', async () => {
  const root = embedded(PLAN);
  attach(root);
  await root.chair.issue(proposalsOf(root));
  const [row] = openRows(root.chair.state);
  if (row === undefined) throw new Error('nothing is out');
  const { charter } = root.chair.charterOf(row);
  const bytes = new TextEncoder().encode(JSON.stringify(wellBehaved(charter)));
  const refusing = { ...root.packets, put: () => ({ ...FULL_DISK, code: 'STORE_NO_SPACE' }) };
  const chair = openChair({ ...root.chair.ports, packets: refusing }, root.chair.state);
  const events = root.ledger.events.length;
  const [booked] = await chair.submit([{ dispatch_id: row.dispatch_id, bytes }]);
  expect(booked).toMatchObject({ status: 'not_recorded', trouble: { code: 'STORE_NO_SPACE' } });
  expect(root.ledger.events).toHaveLength(events);
  expect(openRows(chair.state)).toContainEqual(row);
});

test('content that was lost is trouble by name, and nothing is sent [LEDG-07]', async () => {
  const root = embedded(PLAN);
  const host = scriptedHost((charter) => {
    if (charter.role === 'researcher' && charter.lane === 'B') {
      for (const { content_digest } of allRows(root.chair.state)) {
        if (content_digest !== null) root.objects.lose(content_digest);
      }
    }
    return answering(wellBehaved)(charter);
  });
  const one = { delegate_task: true, slots: 1 };
  const end = await drive(root, { ...host, capability: () => Promise.resolve(one) });
  expect(end).toMatchObject({ end: 'trouble', code: 'CONTENT_MISSING' });
  expect(host.sent.map(({ charter }) => charter.role)).toEqual(['researcher', 'researcher']);
});

describe('a secret', () => {
  const finding = (word: string): SecretScanner => ({
    name: 'test',
    version: '1',
    scan: (text) =>
      Promise.resolve(text.includes(word) ? [{ rule: 'word', offset: text.indexOf(word) }] : []),
  });

  test('in a charter’s own text is a refusal: nothing is recorded and nothing is sent [PROTO-18]', async () => {
    const root = embedded({ ...PLAN, goal: 'find hunter2' }, { ports: { scanner: finding('hunter2') } });
    const host = scriptedHost(answering(wellBehaved));
    const end = await drive(root, host);
    expect(end).toMatchObject({ end: 'trouble', code: 'CHARTER_SECRET' });
    expect(host.sent).toEqual([]);
    expect(root.ledger.events.map(({ event }) => event)).not.toContain('dispatch.issued');
    expect(JSON.stringify(end)).not.toContain('hunter2');
  });

  test('in an inherited excerpt is left out, marked, and the charter goes out without it [PROTO-18]', async () => {
    const texts = { 'Current Approach': 'the word is hunter2', 'Shared Knowledge': 'runs are long' };
    const root = embedded(PLAN, { texts, ports: { scanner: finding('hunter2') } });
    const host = scriptedHost(answering(wellBehaved));
    await drive(root, host);
    const [first] = host.sent;
    expect(first?.charter.read_context.map(({ excerpt, omitted }) => [excerpt, omitted])).toEqual([
      ['[left out: a secret rule matched]', 1],
      ['runs are long', undefined],
    ]);
    expect(host.sent.every(({ text }) => !text.includes('hunter2'))).toBe(true);
    // The ledger records it, so the report names it among its limitations.
    const recorded = root.ledger.events.flatMap((event) =>
      event.event === 'dispatch.issued' ? [[event.payload.role, event.payload.excerpts_left_out]] : [],
    );
    expect(recorded.slice(0, 3)).toEqual([
      ['researcher', 1],
      ['researcher', 1],
      ['poster', undefined],
    ]);
    const limitation =
      'The research charters of round 1 went without one excerpt of the evidence: a secret rule matched.';
    expect(root.chair.state.closing.receipt?.residual_uncertainty).toContain(limitation);
    isFolded(root);
  });
});

test('an acknowledgement is told and moves nothing [PROTO-08]', async () => {
  const root = embedded(PLAN);
  const told: string[] = [];
  const stop = new AbortController();
  const host = scriptedHost((charter) => [{ message: 'acknowledged', dispatch_id: charter.dispatch_id }]);
  const running = drive(root, host, {
    signal: stop.signal,
    acknowledged: (dispatchId) => void told.push(dispatchId),
  });
  await turns();
  expect(told).toHaveLength(2);
  expect(openRows(root.chair.state)).toHaveLength(2);
  stop.abort();
  expect(await running).toEqual({ end: 'interrupted' });
});

/** Lets everything that is ready run. */
async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('the loop', () => {
  test('never has more out than the host has slots, each recorded before it is sent [PROTO-24 PROTO-13]', async () => {
    const root = embedded({ ...PLAN, lanes: 7, max_total_iterations: 14 });
    const waiting: Charter[] = [];
    let most = 0;
    const host = scriptedHost((charter) => {
      waiting.push(charter);
      most = Math.max(most, waiting.length);
      expect(openRows(root.chair.state).map(({ dispatch_id }) => dispatch_id)).toContain(charter.dispatch_id);
      return [];
    });
    const running = drive(root, {
      ...host,
      capability: () => Promise.resolve({ delegate_task: true, slots: 3 }),
    });
    let over = false;
    void running.then(() => (over = true));
    for (let turn = 0; turn < 400 && !over; turn += 1) {
      await turns(4);
      const charter = waiting.shift();
      if (charter !== undefined) host.tell(packetMessage(charter.dispatch_id, wellBehaved(charter)));
    }
    expect(await running).toMatchObject({ end: 'done' });
    expect(most).toBe(3);
  });

  test('books results and timeouts while a person thinks, and takes the question back when it is gone [CONF-33 CONF-08]', async () => {
    const root = embedded(PLAN);
    const asked: { signal: AbortSignal; answer: (option: DecisionOption | null) => void }[] = [];
    const asker: Asker = {
      name: 'person',
      ask: (_, signal) => new Promise((answer) => asked.push({ signal, answer })),
    };
    const host = scriptedHost(() => []);
    const running = drive(root, host, { asker });
    await turns();
    const [a, b] = host.sent.map(({ charter }) => charter);
    if (a === undefined || b === undefined) throw new Error('two lanes are out');
    host.tell(packetMessage(a.dispatch_id, wellBehaved(a)));
    host.tell(packetMessage(a.dispatch_id, researchPacket(a, ['1 ms'])));
    await turns();
    expect(root.chair.state.pending?.kind).toBe('replay_conflict');
    expect(asked).toHaveLength(1);
    host.tell(packetMessage(b.dispatch_id, wellBehaved(b)));
    await turns();
    expect(openRows(root.chair.state)).toEqual([]);
    expect(root.chair.state.state).toBe('BLOCKED');
    root.chair.execute({ command: 'cancel', reason: 'from elsewhere' });
    expect(await running).toMatchObject({ end: 'done', outcome: 'CANCELLED' });
    expect(asked[0]?.signal.aborted).toBe(true);
    isFolded(root);
  });

  test('times out what is overdue while a person thinks, without anybody asking [CONF-33 RECO-03]', async () => {
    const root = embedded(PLAN);
    const host = scriptedHost(() => []);
    const running = drive(root, host, { asker: { name: 'person', ask: () => new Promise(() => undefined) } });
    await turns();
    const [a, b] = host.sent.map(({ charter }) => charter);
    if (a === undefined || b === undefined) throw new Error('two lanes are out');
    host.tell(packetMessage(a.dispatch_id, wellBehaved(a)));
    host.tell(packetMessage(a.dispatch_id, researchPacket(a, ['1 ms'])));
    await turns();
    root.clock.advance(10 * 60_000);
    await turns();
    expect([...allRows(root.chair.state)].map(({ state }) => state)).toEqual(['received', 'timed_out']);
    expect(host.cancelled).toEqual([b.dispatch_id]);
    root.chair.execute({ command: 'cancel', reason: 'over' });
    await running;
  });

  test('gives the host its turns also after the time budget is used up: a synthesis is waited for [CONF-32]', async () => {
    const root = embedded({ ...PLAN, time_budget_ms: 60_000 });
    const late: Charter[] = [];
    const host = scriptedHost((charter) => {
      if (charter.role !== 'synthesis') {
        root.clock.advance(charter.round === 2 ? 61_000 : 1_000);
        return answering(wellBehaved)(charter);
      }
      late.push(charter);
      return [];
    });
    const running = drive(root, host);
    // Were the loop to spin on the past end of the budget, this timer would never fire.
    while (late.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const [synthesis] = late;
    if (synthesis === undefined) throw new Error('no synthesis');
    host.tell(packetMessage(synthesis.dispatch_id, wellBehaved(synthesis)));
    expect(await running).toMatchObject({ end: 'done', outcome: 'BUDGET_STOP' });
  });

  test('stops resumably at a signal: nothing is cancelled by it, children are ended, and a second run ends it [PROTO-34]', async () => {
    const root = embedded(PLAN);
    const stop = new AbortController();
    const host = scriptedHost(() => []);
    const running = drive(root, host, { signal: stop.signal });
    await turns();
    const events = root.ledger.events.length;
    stop.abort();
    expect(await running).toEqual({ end: 'interrupted' });
    expect(root.ledger.events).toHaveLength(events);
    expect(openRows(root.chair.state)).toHaveLength(2);
    expect(host.closed).toBe(1);
    const chair = openChair(root.chair.ports, fold(root.ledger.events, INITIAL_STATE));
    const lost: DispatchOf[] = [];
    const again = scriptedHost(answering(wellBehaved));
    const resumed = {
      ...again,
      attach: (listener: (message: HostMessage) => void, open: Parameters<DelegateHost['attach']>[1]) => {
        again.attach(listener, open);
        for (const dispatch_id of open) {
          lost.push(dispatch_id);
          listener({ message: 'failed', dispatch_id, code: 'host_lost', reason: 'the root was interrupted' });
        }
      },
    };
    const end = await drive({ ...root, chair }, resumed);
    expect(lost).toHaveLength(2);
    // Nothing is sent again by itself: the user is asked.
    expect(end).toMatchObject({ end: 'asked', decision: { kind: 'no_valid_packet' } });
    expect(again.sent).toEqual([]);
  });

  test('takes late, repeated and stray messages, and those of ended dispatches, in any number [PROTO-14 PROTO-16 PROTO-17]', async () => {
    const root = embedded(PLAN);
    const script: Script = (charter) => {
      const [answer] = answering(wellBehaved)(charter);
      if (answer === undefined) return [];
      if (charter.role !== 'researcher' || charter.round !== 1) return [answer];
      const repeats = Array.from({ length: 500 }, () => answer);
      return [
        answer,
        ...repeats,
        packetMessage('01J9ZQ4V7N3K8M2R5T6W8X9Y0B', {}),
        { message: 'failed', dispatch_id: charter.dispatch_id, code: 'host_failed', reason: 'late' },
      ];
    };
    const end = await drive(root, scriptedHost(script));
    expect(end).toMatchObject({ end: 'done' });
    expect(root.chair.state).toMatchObject({ duplicate_results: 1_000, stale_results: 2 });
    isFolded(root);
  });

  test('asks the host again when the user says so, and goes on once it can [AUTO-06 CONF-06]', async () => {
    const root = embedded(PLAN);
    const host = scriptedHost(answering(wellBehaved));
    let looks = 0;
    const asker: Asker = { name: 'person', ask: () => Promise.resolve('retry') };
    const end = await drive(
      root,
      {
        ...host,
        capability: () => {
          looks += 1;
          return Promise.resolve({ delegate_task: looks > 2, slots: 2 });
        },
      },
      { asker },
    );
    expect(looks).toBe(3);
    expect(end).toMatchObject({ end: 'done' });
    expect(root.chair.state.answered.map(({ option }) => option)).toEqual(['retry', 'retry']);
  });

  test.each([0, -1, 1.5, Number.NaN])('refuses a host that says it has %s slots [CONF-10]', async (slots) => {
    const root = embedded(PLAN);
    const host = {
      ...scriptedHost(() => []),
      capability: () => Promise.resolve({ delegate_task: true, slots }),
    };
    expect(await drive(root, host)).toMatchObject({ end: 'trouble', code: 'CAPABILITY_INVALID' });
    expect(root.chair.state.state).toBe('CONFIRMED');
  });

  test('ends where nobody can answer, with the question [CONF-08]', async () => {
    const root = embedded({ ...PLAN, pause_every: 1 });
    const end = await drive(root, scriptedHost(answering(wellBehaved)), { asker: NOBODY });
    expect(end).toMatchObject({ end: 'asked', decision: { kind: 'pause' } });
    const breaking: Asker = { name: 'broken', ask: () => Promise.reject(new Error('no terminal')) };
    expect(
      await drive(
        root,
        scriptedHost(() => []),
        { asker: breaking },
      ),
    ).toMatchObject({ end: 'asked' });
  });
});

type DispatchOf = ReturnType<typeof openRows>[number]['dispatch_id'];

describe('artifacts', () => {
  test('are written before they are recorded, and a refusal stops resumably with nothing recorded [PROTO-27 LEDG-07]', async () => {
    const root = embedded(PLAN);
    root.chair.execute({ command: 'grant', grant: GRANT });
    const artifacts = memoryArtifacts();
    artifacts.refuseNext({ code: 'NO_SPACE', message: 'no space left on device' });
    const end = await drive(root, scriptedHost(answering(wellBehaved)), { artifacts });
    expect(end).toEqual({ end: 'trouble', code: 'NO_SPACE', message: 'no space left on device' });
    expect(root.ledger.events.map(({ event }) => event)).not.toContain('artifact.written');
    expect(root.chair.state.phase).toBe('transfer');
    const again = await drive(root, scriptedHost(answering(wellBehaved)), { artifacts });
    expect(again).toMatchObject({ end: 'done' });
    expect([...artifacts.files.keys()].toSorted()).toEqual([
      'conference_results.tsv',
      'final_report.md',
      'peer_review_round_1.md',
      'peer_review_round_2.md',
      'poster_session_round_1.md',
      'poster_session_round_2.md',
      'synthesis.md',
    ]);
    const names = root.ledger.events.map(({ event }) => event);
    expect(names.slice(-3)).toEqual(['artifact.written', 'conference.completed', 'cleanup.receipt']);
  });
});

test('time that ran back is taken for the head’s [CONF-29]', () => {
  const root = embedded(PLAN, { ports: { clock: manualClock(1) } });
  attach(root);
  const times = root.ledger.events.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted((left, right) => (left < right ? -1 : 1)));
});

test('revalidate of files that differ is carried out by the root that holds them, and a comparison that fails ends the run with the question open [PROTO-35]', async () => {
  const script = (root: Embedded): Script => {
    let blocked = false;
    return (charter) => {
      if (!blocked) {
        blocked = true;
        const code = 'BLOCKED_STALE_CONFERENCE_STATE' as const;
        root.chair.execute({ command: 'block', code, reason: 'conference.md differs' });
      }
      return [packetMessage(charter.dispatch_id, wellBehaved(charter))];
    };
  };
  const asker: Asker = { name: 'person', ask: () => Promise.resolve('revalidate') };
  const root = embedded(PLAN);
  const by: string[] = [];
  const revalidate = (answered_by: string): Promise<null> => {
    by.push(answered_by);
    const decision_id = root.chair.state.pending?.decision_id ?? '';
    root.chair.execute({ command: 'answer', decision_id, option: 'revalidate', answered_by });
    return Promise.resolve(null);
  };
  expect(await drive(root, scriptedHost(script(root)), { asker, revalidate })).toMatchObject({ end: 'done' });
  expect(by).toEqual(['person']);

  const lost = embedded(PLAN);
  const trouble = { code: 'BLOCKED_STALE_CONFERENCE_STATE', message: 'a packet is missing' };
  const end = await drive(lost, scriptedHost(script(lost)), {
    asker,
    revalidate: () => Promise.resolve(trouble),
  });
  expect(end).toEqual({ end: 'trouble', ...trouble });
  expect(lost.chair.state).toMatchObject({ state: 'BLOCKED', pending: { kind: 'stale_state' } });
});
