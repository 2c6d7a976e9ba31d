/**
 * One contract suite for each port of the Chair, as named checks: run them against an adapter with any test runner.
 *
 * A check throws `ContractBroken` with a sentence when the adapter does not keep it. Each check makes its own adapter,
 * so they can run in any order.
 */
import { canonicalJson, digestOf, ZERO_DIGEST, type Decision, type DispatchId } from '@x/protocol';
import type {
  ArtifactPort,
  Asker,
  Clock,
  ContentPort,
  DelegateHost,
  HostMessage,
  LedgerPort,
} from '../chair/ports.ts';

/** What one check says, and how it is carried out. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void>;
}

/** An adapter that does not keep a contract. The message says which sentence of it. */
export class ContractBroken extends Error {
  readonly code = 'CONTRACT_BROKEN';
}

function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new ContractBroken(sentence);
}

const check = (name: string, run: () => Promise<void> | void): ContractCheck => ({
  name,
  run: async () => {
    await run();
  },
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const revoked = (reason: string) => ({
  event: 'grant.revoked' as const,
  timestamp: '2026-11-30T12:00:00.000Z',
  payload: { grant_id: 'g', reason },
});

/** @param open a ledger that holds nothing yet */
export function ledgerContract(open: () => LedgerPort | Promise<LedgerPort>): readonly ContractCheck[] {
  const opened = async (use: (ledger: LedgerPort) => void): Promise<void> => {
    const ledger = await open();
    try {
      use(ledger);
    } finally {
      await ledger.close();
    }
  };
  return [
    check('an empty ledger ends at 0, with 64 zeros and no time', () =>
      opened(({ head }) => {
        must(head.seq === 0 && head.timestamp === null, 'the head of an empty ledger is at 0');
        must(head.digest === ZERO_DIGEST, 'the digest before the first line is 64 zeros');
      }),
    ),
    check('an append gives a record for each entry, in order, and moves the head to the last', () =>
      opened((ledger) => {
        const appended = ledger.append(ledger.head, [revoked('one'), revoked('two')]);
        must(appended.status === 'appended', 'two entries are appended');
        must(appended.records.map(({ seq }) => seq).join() === '1,2', 'records count on from the head');
        must(appended.records[0]?.digest !== appended.records[1]?.digest, 'each record has its own digest');
        must(ledger.head.seq === 2 && appended.head.seq === 2, 'the head is the last record');
        must(
          ledger.head.digest === appended.records[1]?.digest,
          'the head has the digest of the last record',
        );
        must(ledger.head.timestamp === revoked('two').timestamp, 'the head has the time of the last record');
      }),
    ),
    check('an append that expects another head is refused and writes nothing', () =>
      opened((ledger) => {
        const before = ledger.head;
        ledger.append(before, [revoked('one')]);
        const at = ledger.head;
        const refused = ledger.append(before, [revoked('two')]);
        must(refused.status === 'refused', 'an outdated head is refused');
        must(refused.code !== '' && refused.message !== '', 'a refusal has a code and a sentence');
        must(
          ledger.head.seq === at.seq && ledger.head.digest === at.digest,
          'a refused append leaves the head',
        );
      }),
    ),
  ];
}

/** @param open a store that holds nothing yet */
export function contentContract(open: () => ContentPort | Promise<ContentPort>): readonly ContractCheck[] {
  const missing = digestOf('nobody stored this');
  return [
    check('what is put is found again by the SHA-256 of its bytes', async () => {
      const store = await open();
      const bytes = bytesOf(canonicalJson({ text: 'їжак 🙂' }));
      const stored = store.put(bytes);
      must(stored.status === 'stored', 'bytes are stored');
      must(stored.digest === digestOf(bytes), 'the address is the SHA-256 of the bytes');
      const found = store.get(digestOf(bytes));
      must(found.status === 'found', 'what was stored is found');
      must(digestOf(found.bytes) === digestOf(bytes), 'what is found has the bytes that were stored');
    }),
    check('twice is once, and what is not there is missing', async () => {
      const store = await open();
      const [one, two] = [store.put(bytesOf('{}')), store.put(bytesOf('{}'))];
      must(one.status === 'stored' && two.status === 'stored', 'the same bytes are stored again');
      must(one.digest === two.digest, 'the same bytes have the same address');
      must(store.get(missing).status === 'missing', 'unknown content is missing, not an error');
    }),
    check('a caller that changes its bytes afterwards changes nothing in the store', async () => {
      const store = await open();
      const bytes = bytesOf('{"a":1}');
      const digest = digestOf(bytes);
      store.put(bytes);
      bytes.fill(0);
      const found = store.get(digest);
      must(found.status === 'found' && digestOf(found.bytes) === digest, 'stored bytes are the store’s own');
    }),
  ];
}

/** @param open a clock whose time goes on by itself, or by `pass` */
export function clockContract(
  open: () => Clock | Promise<Clock>,
  pass: (clock: Clock, ms: number) => void | Promise<void>,
): readonly ContractCheck[] {
  const never = new AbortController().signal;
  return [
    check('the time is a whole number of milliseconds and never runs back', async () => {
      const clock = await open();
      const first = clock.now();
      await pass(clock, 5);
      must(Number.isSafeInteger(first), 'the time is a whole number of milliseconds');
      must(clock.now() >= first, 'the time never runs back');
    }),
    check('sleeping until the past ends at once', async () => {
      const clock = await open();
      await clock.sleepUntil(clock.now() - 1, never);
    }),
    check('sleeping ends when the time is there, not before', async () => {
      const clock = await open();
      const until = clock.now() + 20;
      let woken = false;
      const slept = clock.sleepUntil(until, never).then(() => (woken = true));
      await Promise.resolve();
      must(!woken, 'nobody wakes before the time');
      await pass(clock, 25);
      await slept;
      must(clock.now() >= until, 'the time is there');
    }),
    check('a signal ends a sleep without a rejection, also one that has aborted before', async () => {
      const clock = await open();
      const abort = new AbortController();
      const slept = clock.sleepUntil(Infinity, abort.signal);
      abort.abort();
      await slept;
      await clock.sleepUntil(Infinity, abort.signal);
    }),
  ];
}

/** What a host is given to start: recorded dispatches, and what was sent with them. */
export type Delegation = Parameters<DelegateHost['delegate']>;

export interface HostUnderTest {
  readonly host: DelegateHost;
  /** A dispatch whose child answers. */
  readonly answered: Delegation;
  /** A dispatch whose child ends without an answer; absent where this host cannot tell. */
  readonly failing?: Delegation;
  /** Lets a little time pass, so that messages can come: some milliseconds for a host with processes. */
  readonly turn: () => Promise<void>;
  /** How many of them one message is waited for. */
  readonly turnsMax: number;
}

/** @param open a host, and charters to try it with */
export function delegateHostContract(
  open: () => HostUnderTest | Promise<HostUnderTest>,
): readonly ContractCheck[] {
  const attached = async (use: (made: HostUnderTest, next: NextMessage) => Promise<void>): Promise<void> => {
    const made = await open();
    const inbox: HostMessage[] = [];
    made.host.attach((message) => void inbox.push(message), []);
    try {
      await use(made, (wanted) => waitFor(inbox, wanted, made));
    } finally {
      await made.host.close();
    }
  };
  return [
    check('says what it can: delegate_task, and at least one slot', async () => {
      const { host } = await open();
      const { slots } = await host.capability();
      must(Number.isSafeInteger(slots) && slots >= 1, 'slots are a whole number of at least 1');
      must(host.name !== '', 'a host has a name');
      await host.close();
    }),
    check('hands a result over as a message of its own that names its dispatch', () =>
      attached(async ({ host, answered }, next) => {
        host.delegate(...answered);
        const dispatchId: DispatchId = answered[0].payload.dispatch_id;
        const message = await next((one) => one.message === 'result' && one.dispatch_id === dispatchId);
        must(
          message.message === 'result' && message.bytes.length > 0,
          'a result has the bytes of the packet',
        );
      }),
    ),
    check('says of a child that ends without an answer that it failed', () =>
      attached(async ({ host, failing }, next) => {
        if (failing === undefined) return;
        host.delegate(...failing);
        const dispatchId = failing[0].payload.dispatch_id;
        const message = await next((one) => one.message === 'failed' && one.dispatch_id === dispatchId);
        must(message.message === 'failed' && message.reason !== '', 'a failure has a reason');
      }),
    ),
    check('closes twice as once, and tells nothing afterwards', async () => {
      const { host, answered, turn } = await open();
      const inbox: HostMessage[] = [];
      host.attach((message) => void inbox.push(message), []);
      host.delegate(...answered);
      await host.close();
      const told = inbox.length;
      await host.close();
      await turn();
      must(inbox.length === told, 'a closed host tells nothing');
    }),
  ];
}

type NextMessage = (wanted: (message: HostMessage) => boolean) => Promise<HostMessage>;

async function waitFor(
  inbox: readonly HostMessage[],
  wanted: (message: HostMessage) => boolean,
  { turn, turnsMax }: HostUnderTest,
): Promise<HostMessage> {
  for (let turns = 0; turns <= turnsMax; turns += 1) {
    const found = inbox.find(wanted);
    if (found !== undefined) return found;
    await turn();
  }
  throw new ContractBroken(`the message comes within ${turnsMax} turns`);
}

/**
 * @param open an asker before whom somebody answers `answers`, or nobody sits
 */
export function askerContract(
  open: () => Asker | Promise<Asker>,
  { decision, answers }: { readonly decision: Decision; readonly answers: string | null },
): readonly ContractCheck[] {
  return [
    check('answers with an option of the decision, or null where nobody can', async () => {
      const asker = await open();
      const answer = await asker.ask(decision, new AbortController().signal);
      must(answer === answers, 'the answer is what was answered');
      must(
        answer === null || decision.options.some(({ id }) => id === answer),
        'an answer is one of the options',
      );
      must(asker.name !== '', 'the ledger says who answered');
    }),
    check('takes a question back when its signal aborts: null, not a rejection', async () => {
      const asker = await open();
      const abort = new AbortController();
      const asked = asker.ask(decision, abort.signal);
      abort.abort();
      const answer = await asked;
      must(answer === null || answer === answers, 'a question that is taken back is answered by nobody');
    }),
  ];
}

/** @param open writes below a folder that holds nothing yet */
export function artifactContract(open: () => ArtifactPort | Promise<ArtifactPort>): readonly ContractCheck[] {
  const path = 'synthesis.md';
  const [first, second] = [bytesOf('# One\n'), bytesOf('# Two\n')];
  return [
    check('writes new bytes, and the same bytes again as nothing', async () => {
      const port = await open();
      must(port.write(path, first, null).status === 'written', 'a new artifact is written');
      must(port.write(path, first, null).status === 'written', 'the same bytes are there already');
    }),
    check('replaces its own earlier bytes, and no others', async () => {
      const port = await open();
      port.write(path, first, null);
      const stranger = port.write(path, second, null);
      must(stranger.status === 'refused', 'bytes that nobody knows of are never overwritten');
      must(stranger.code !== '' && stranger.message !== '', 'a refusal has a code and a sentence');
      must(
        port.write(path, second, digestOf(first)).status === 'written',
        'our own earlier bytes are replaced',
      );
    }),
    check('leaves its folder by no path', async () => {
      const port = await open();
      for (const outside of ['../outside.md', '/outside.md', 'a/../../outside.md']) {
        must(port.write(outside, first, null).status === 'refused', `${outside} is outside of the root`);
      }
    }),
  ];
}
