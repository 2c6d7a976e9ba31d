/** Every port's contract against the adapters in memory; other adapters run the same suites. */
import { digestOf, type Decision, type DecisionOption } from '@x/protocol';
import { describe, expect, test } from 'vitest';
import { embedded, wellBehaved, answering } from '../../test/support/embedded.ts';
import {
  artifactContract,
  askerContract,
  clockContract,
  contentContract,
  ContractBroken,
  delegateHostContract,
  ledgerContract,
  manualClock,
  memoryArtifacts,
  memoryContent,
  memoryLedger,
  scriptedHost,
  type ContractCheck,
  type Delegation,
  type HostUnderTest,
} from '../testing/index.ts';
import type { Asker } from './ports.ts';

const DECISION: Decision = {
  decision_id: '01M8P570G09CMZ7KCV9HJ8W2Q8' as Decision['decision_id'], // a ULID, written by hand
  kind: 'pause',
  question: 'Go on?',
  options: [
    { id: 'continue', label: 'Go on', consequence: 'the next round begins' },
    { id: 'stop', label: 'Stop', consequence: 'it ends' },
  ],
  dispatch_ids: [],
};

function asker(answers: DecisionOption | null): Asker {
  return {
    name: 'scripted',
    ask: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(null), { once: true });
        queueMicrotask(() => resolve(answers));
      }),
  };
}

/** Dispatches that a real Chair recorded: a host takes no others. */
async function host(): Promise<HostUnderTest> {
  const { chair } = embedded({ lanes: 2, max_total_iterations: 12 });
  const capability = { delegate_task: true, slots: 2 };
  chair.execute({ command: 'attach', driver: 'embedded', host: 'test', capability, temporary_roots: false });
  const proposals = chair
    .actions(2)
    .flatMap((action) => (action.action === 'issue' ? [action.proposal] : []));
  const outcome = await chair.issue(proposals);
  if (outcome.status !== 'issued') throw new Error(outcome.status);
  const [answered, failing] = outcome.issued.map(({ event, sent }): Delegation => [event, sent]);
  if (answered === undefined || failing === undefined) throw new Error('two lanes are issued');
  const failed = failing[0].payload.dispatch_id;
  const made = scriptedHost((charter) =>
    charter.dispatch_id === failed
      ? [{ message: 'failed', dispatch_id: failed, code: 'host_failed', reason: 'exit code 1' }]
      : answering(wellBehaved)(charter),
  );
  return { host: made, answered, failing, turn: () => Promise.resolve(), turnsMax: 10 };
}

const SUITES: Readonly<Record<string, readonly ContractCheck[]>> = {
  ledger: ledgerContract(() => memoryLedger()),
  content: contentContract(() => memoryContent()),
  clock: clockContract(
    () => manualClock(0),
    (clock, ms) => {
      if ('advance' in clock && typeof clock.advance === 'function') clock.advance(ms);
    },
  ),
  host: delegateHostContract(host),
  'asker who answers': askerContract(() => asker('continue'), { decision: DECISION, answers: 'continue' }),
  'asker nobody answers': askerContract(() => asker(null), { decision: DECISION, answers: null }),
  artifacts: artifactContract(() => memoryArtifacts()),
};

describe.each(Object.entries(SUITES))('the contract of the port: %s', (_, checks) => {
  test.each(checks.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
    await expect(check.run()).resolves.toBeUndefined();
  });
});

describe('a suite finds the adapter that does not keep its contract', () => {
  async function broken(checks: readonly ContractCheck[]): Promise<number> {
    const results = await Promise.allSettled(checks.map((check) => check.run()));
    const failures = results.filter(({ status }) => status === 'rejected');
    for (const failure of failures) {
      expect(failure.status === 'rejected' && failure.reason instanceof ContractBroken).toBe(true);
    }
    return failures.length;
  }

  test('a ledger that takes any head, a store that forgets, artifacts that overwrite', async () => {
    const deaf = (): ReturnType<typeof memoryLedger> => {
      const ledger = memoryLedger();
      return Object.defineProperties(
        {
          ...ledger,
          append: (_: unknown, entries: Parameters<typeof ledger.append>[1]) =>
            ledger.append(ledger.head, entries),
        },
        { head: { get: () => ledger.head } },
      );
    };
    expect(await broken(ledgerContract(deaf))).toBe(1);
    const forgetful = contentContract(() => ({ ...memoryContent(), get: () => ({ status: 'missing' }) }));
    expect(await broken(forgetful)).toBe(2);
    const careless = artifactContract(() => ({ ...memoryArtifacts(), write: () => ({ status: 'written' }) }));
    expect(await broken(careless)).toBe(2);
    const wrong = contentContract(() => ({
      ...memoryContent(),
      put: () => ({ status: 'stored', digest: digestOf('x') }),
    }));
    expect(await broken(wrong)).toBe(2);
  });

  test('an asker that answers with what was not offered, a host that says nothing', async () => {
    expect(await broken(askerContract(() => asker('skip'), { decision: DECISION, answers: 'skip' }))).toBe(1);
    const mute = delegateHostContract(async () => ({ ...(await host()), host: scriptedHost(() => []) }));
    expect(await broken(mute)).toBe(2);
  });
});
