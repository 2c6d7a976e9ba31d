/**
 * The Chair: the core over ports. Every front end uses it and none appends by itself (design "The Chair").
 *
 * H1 Content first, then the event that names it, then the announcement: bytes without an event are harmless.
 * H2 The state moves only after the append returned.
 * H3 A charter that would hold a secret is a refusal; nothing is recorded and nothing is sent.
 */
import {
  canonicalJson,
  packetJsonSchema,
  type Charter,
  type ConferenceEvent,
  type Digest,
  type JsonObject,
  type CharterLimits,
  type ReadContextItem,
  type Role,
} from '@x/protocol';
import type { Command } from '../commands/command.ts';
import { buildCharter, type BuiltCharter } from '../charters/build.ts';
import { readContext } from '../charters/read-context.ts';
import { contextDigest } from '../charters/fit.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { nextActions, type Action } from '../next-actions.ts';
import type { Proposal } from '../proposals.ts';
import { settleAll } from '../decide.ts';
import type { Planned, State } from '../state.ts';
import { commit, type Executed } from './commit.ts';
import { judge } from './judge.ts';
import type {
  Clock,
  ContentPort,
  ContentRefused,
  LedgerPort,
  LedgerRefused,
  RecordedIssue,
  SecretScanner,
  SentCharter,
} from './ports.ts';
import { ContentMissing, contentText, contentTrouble, read } from './reading.ts';

export interface ChairPorts {
  readonly ledger: LedgerPort;
  /** Canonical JSON of packets and contexts. */
  readonly objects: ContentPort;
  /** Accepted packets as received. */
  readonly packets: ContentPort;
  readonly clock: Clock;
  readonly scanner: SecretScanner;
}

/** A dispatch that stands in the ledger and may be sent. */
export interface Issued {
  readonly event: RecordedIssue;
  readonly sent: SentCharter;
}

export type IssueOutcome =
  | { readonly status: 'issued'; readonly issued: readonly Issued[] }
  /** The state moved while the charters were made: ask for the next actions again. */
  | { readonly status: 'moved' }
  | { readonly status: 'secret'; readonly rule: string; readonly message: string }
  | { readonly status: 'not_recorded'; readonly trouble: LedgerRefused | ContentRefused };

/** What came for a dispatch, as bytes. */
export interface Incoming {
  readonly dispatch_id: string;
  readonly bytes: Uint8Array;
  readonly cost?: string;
}

export interface Chair {
  readonly state: State;
  readonly ports: ChairPorts;
  /** One command, one group commit. Never rejects for what a command or a disk does. */
  execute(command: Command): Executed;
  /** Several commands, one write and one sync. */
  executeAll(commands: readonly Command[]): readonly Executed[];
  /** Judges what came and books it, several in one commit. Never rejects for what a child sent. */
  submit(incoming: readonly Incoming[]): Promise<readonly Executed[]>;
  actions(freeSlots: number): Action[];
  /** Makes, scans and records the charters of proposals; what it gives may be sent. */
  issue(proposals: readonly Proposal[]): Promise<IssueOutcome>;
  /** The charter of a recorded dispatch again, byte for byte. */
  charterOf(row: DispatchRow): BuiltCharter;
  /** Called with each recorded event, in order. */
  observe(listener: (event: ConferenceEvent & { readonly seq: number }) => void): void;
  /** Calls back once when anything is recorded, unless the signal aborts before. */
  onceChanged(signal: AbortSignal, wake: () => void): void;
  /** Gives the ledger back. */
  close(): Promise<void>;
}

/** Opens a Chair on the state that the ledger folds to. Missing consequences are appended first (design C1). */
export function openChair(ports: ChairPorts, folded: State): Chair {
  const schemas = schemaCache();
  const contexts = new Map<string, readonly ReadContextItem[]>();
  const listeners: ((event: ConferenceEvent & { readonly seq: number }) => void)[] = [];
  const waiting = new Set<() => void>();
  /** Charters that are out: what comes back is judged by them, and making one anew costs as much as judging. */
  const sent = new Map<string, Charged>();
  let state = folded;

  const run = (commands: readonly Command[], clock: Clock): readonly Executed[] => {
    const committed = commit(state, commands, { ledger: ports.ledger, clock });
    state = committed.state;
    for (const executed of committed.executed) {
      if (executed.status !== 'done') continue;
      for (const event of executed.events) {
        if (isEnd(event)) sent.delete(event.payload.dispatch_id);
        for (const listener of listeners) listener(event);
      }
      if (executed.events.length > 0) wakeAll(waiting);
    }
    return committed.executed;
  };

  const planned = (): Planned => {
    if (state.planned === null) throw new Error('nothing is planned in this ledger');
    return state.planned;
  };

  const outputSchema = (role: Role, limits: CharterLimits): JsonObject =>
    schemas(role, limits, planned().plan.mode);

  const charterOf = (row: DispatchRow): BuiltCharter => {
    const items = contexts.get(row.context_digest) ?? storedContext(ports.objects, row.context_digest);
    contexts.set(row.context_digest, items);
    const { last_round } = row;
    const dispatch = {
      ...row,
      iteration_allowance: row.role === 'researcher' ? row.iteration_allowance : null,
    };
    return buildCharter(planned(), {
      dispatch,
      deadline_ms: row.deadline_ms,
      last_round,
      items,
      outputSchema,
    });
  };

  const sentCharter = (row: DispatchRow): Charged => sent.get(row.dispatch_id) ?? charterOf(row);

  return {
    get state() {
      return state;
    },
    ports,
    execute: (command) => run([command], ports.clock)[0] ?? { status: 'done', events: [] },
    executeAll: (commands) => run(commands, ports.clock),
    actions: (freeSlots) => nextActions(state, { freeSlots }),
    charterOf,
    observe: (listener) => void listeners.push(listener),
    onceChanged: (signal, wake) => {
      waiting.add(wake);
      signal.addEventListener('abort', () => waiting.delete(wake), { once: true });
    },
    close: () => ports.ledger.close(),
    submit: async (incoming) => {
      const judged: (Command | ContentRefused)[] = [];
      for (const one of incoming) {
        judged.push(await orTrouble(() => judge(one, { state, ports, charterOf: sentCharter })));
      }
      const commands = judged.flatMap((one) => ('command' in one ? [one] : []));
      const executed = [...run(commands, ports.clock)];
      return judged.map((one) =>
        'command' in one
          ? (executed.shift() ?? { status: 'done' as const, events: [] })
          : { status: 'not_recorded' as const, trouble: one },
      );
    },
    issue: async (proposals) => {
      const first = proposals[0];
      if (first === undefined) return { status: 'issued', issued: [] };
      const from = state;
      const items = await orTrouble(
        () => read(readContext(from, planned(), first.role), ports.objects).items,
      );
      if ('status' in items) return { status: 'not_recorded', trouble: items };
      const { context, excerpts_left_out } = await safeContext(items, ports.scanner);
      const context_digest = contextDigest(context);
      const stored = ports.objects.put(encoder.encode(canonicalJson(context)));
      if (stored.status === 'refused') return { status: 'not_recorded', trouble: stored };
      contexts.clear();
      contexts.set(context_digest, context);
      const built: { readonly command: Command; readonly now: number; readonly charter: BuiltCharter }[] = [];
      let now = from.head_ms;
      for (const dispatch of proposals) {
        const draft = {
          command: 'issue' as const,
          dispatch_id: dispatch.dispatch_id,
          charter_digest: context_digest,
          context_digest,
          ...(excerpts_left_out === 0 ? {} : { excerpts_left_out }),
        };
        now = Math.max(now, ports.clock.now(draft));
        const last_round = from.rounds[dispatch.round - 1]?.last_round === true;
        const deadline_ms = now + dispatch.timeout_ms;
        const charter = buildCharter(planned(), {
          dispatch,
          deadline_ms,
          last_round,
          items: context,
          outputSchema,
        });
        built.push({ command: { ...draft, charter_digest: charter.digest }, now, charter });
        const found = await scanOwnText(charter.charter, ports.scanner);
        if (found !== null) return found;
      }
      // A decision from elsewhere, or a deadline, may have come while the texts were scanned.
      if (state !== from || settleAll(state, now).events.length > 0) return { status: 'moved' };
      return record(built);
    },
  };

  function record(
    built: readonly { readonly command: Command; readonly now: number; readonly charter: BuiltCharter }[],
  ): IssueOutcome {
    const times = new Map(built.map(({ command, now }) => [command, now]));
    const clock: Clock = {
      now: (command) => (command === undefined ? undefined : times.get(command)) ?? ports.clock.now(command),
      sleepUntil: (ms, signal) => ports.clock.sleepUntil(ms, signal),
    };
    const executed = run(
      built.map(({ command }) => command),
      clock,
    );
    const issued: Issued[] = [];
    for (const [index, outcome] of executed.entries()) {
      const made = built[index];
      if (outcome.status === 'not_recorded') return { status: 'not_recorded', trouble: outcome.trouble };
      if (outcome.status === 'refused' || made === undefined) continue;
      const event = outcome.events.find((one): one is RecordedIssue => one.event === 'dispatch.issued');
      if (event !== undefined) {
        const { charter, text, limits } = made.charter;
        sent.set(charter.dispatch_id, { charter, limits });
        issued.push({ event, sent: { charter, text, packetBytesMax: limits.packet_bytes_max } });
      }
    }
    return issued.length === 0 ? { status: 'moved' } : { status: 'issued', issued };
  }
}

const encoder = new TextEncoder();

type EndEvent = Extract<
  ConferenceEvent,
  { event: 'dispatch.received' | 'dispatch.failed' | 'dispatch.timed_out' | 'dispatch.cancelled' }
>;

function isEnd(event: ConferenceEvent): event is EndEvent {
  switch (event.event) {
    case 'dispatch.received':
    case 'dispatch.failed':
    case 'dispatch.timed_out':
    case 'dispatch.cancelled':
      return true;
    default:
      return false;
  }
}

/** What a packet is judged by. */
type Charged = Pick<BuiltCharter, 'charter' | 'limits'>;

/** Content that is missing where the ledger names it is trouble with a store, as a failed write is: a value. */
async function orTrouble<Value>(work: () => Value | Promise<Value>): Promise<Value | ContentRefused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContentMissing) return contentTrouble(error);
    throw error;
  }
}

function wakeAll(waiting: Set<() => void>): void {
  const woken = [...waiting];
  waiting.clear();
  for (const wake of woken) wake();
}

function storedContext(objects: ContentPort, digest: Digest): readonly ReadContextItem[] {
  // We stored the context ourselves, under this digest.
  return JSON.parse(contentText(objects, digest)) as ReadContextItem[];
}

/** One JSON Schema for each role and bounds: making one costs more than a charter. */
function schemaCache(): (role: Role, limits: CharterLimits, mode: 'metric' | 'qualitative') => JsonObject {
  const made = new Map<string, JsonObject>();
  return (role, limits, mode) => {
    const key = `${role} ${mode} ${limits.claims_max} ${limits.string_code_points_max} ${limits.verdicts_max}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const schema = packetJsonSchema(role, { limits, mode });
    made.set(key, schema);
    return schema;
  };
}

/** What stands where an inherited excerpt held a secret (02 Charter). */
const LEFT_OUT = '[left out: a secret rule matched]';

interface SafeContext {
  readonly context: readonly ReadContextItem[];
  /** Recorded with each dispatch, so that the report names the limitation. */
  readonly excerpts_left_out: number;
}

/** The items without those that hold a secret: they were read before, so one rule set more may find something. */
async function safeContext(items: readonly ReadContextItem[], scanner: SecretScanner): Promise<SafeContext> {
  const whole = await scanner.scan(canonicalJson(items));
  if (whole.length === 0) return { context: items, excerpts_left_out: 0 };
  const context: ReadContextItem[] = [];
  let excerpts_left_out = 0;
  for (const item of items) {
    const found = await scanner.scan(canonicalJson(item));
    if (found.length > 0) excerpts_left_out += 1;
    context.push(
      found.length === 0 ? item : { ...item, excerpt: LEFT_OUT, omitted: (item.omitted ?? 0) + 1 },
    );
  }
  return { context, excerpts_left_out };
}

/** The charter but for its evidence, which is scanned once for all lanes. */
async function scanOwnText(charter: Charter, scanner: SecretScanner): Promise<IssueOutcome | null> {
  const { read_context: _, output_schema: _schema, ...own } = charter;
  const [found] = await scanner.scan(canonicalJson(own));
  if (found === undefined) return null;
  const message = `the charter of ${charter.role} ${charter.lane ?? ''} would hold a secret (rule ${found.rule}): take it out of the plan's own text`;
  return { status: 'secret', rule: found.rule, message };
}
