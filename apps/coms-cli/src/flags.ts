/**
 * Flags that several verbs share, and how their values are read.
 */
import type { CliContext } from './context.ts';

/** Milliseconds: a whole number above zero. */
function parseMs(input: string): number {
  if (!/^\d{1,15}$/.test(input) || Number(input) === 0) {
    throw new SyntaxError(`${input} is no number of milliseconds: write a whole number above zero`);
  }
  return Number(input);
}

export function parseHops(input: string): number {
  if (!/^\d{1,6}$/.test(input)) throw new SyntaxError(`${input} is no number of hops: write 0, 1, 2, …`);
  return Number(input);
}

function parseMsgId(input: string): string {
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(input)) {
    throw new SyntaxError(`${input} is no message id: write the 26 characters that an earlier send printed`);
  }
  return input;
}

const text = (input: string): string => input;

type Proposer = (context: CliContext, partial: string) => readonly string[] | Promise<readonly string[]>;

/** Values for completion, whose code is loaded when a shell asks, not at start-up. */
function propose(pick: (values: typeof import('./complete-values.ts')) => Proposer) {
  return async function proposeValues(this: CliContext, partial: string): Promise<readonly string[]> {
    return pick(await import('./complete-values.ts'))(this, partial);
  };
}

export const proposePeers = propose((values) => values.completePeers);
const proposeProjects = propose((values) => values.completeProjects);
const proposePending = propose((values) => values.completePending);
const proposeSent = propose((values) => values.completeSent);
const proposeInbound = propose((values) => values.completeInbound);

export const projectFlag = {
  kind: 'parsed',
  parse: text,
  proposeCompletions: proposeProjects,
  optional: true,
  brief: 'Project whose peers are meant (COMS_CLI_PROJECT, else default)',
  placeholder: 'project',
} as const;

export const nameFlag = {
  kind: 'parsed',
  parse: text,
  optional: true,
  brief: 'Our own name, as peers see it (COMS_CLI_NAME, else cli)',
  placeholder: 'name',
} as const;

export const jsonFlag = {
  kind: 'boolean',
  brief: 'Print one JSON object on stdout',
  default: false,
  withNegated: false,
} as const;

export const timeoutFlag = {
  kind: 'parsed',
  parse: parseMs,
  optional: true,
  brief: 'How long to wait for the reply, in milliseconds (PI_COMS_TIMEOUT_MS, else 1800000)',
  placeholder: 'ms',
} as const;

export const msgIdFlag = {
  kind: 'parsed',
  parse: parseMsgId,
  optional: true,
  brief: 'Send under this id instead of a new one: to repeat a message whose wait was cut short',
  placeholder: 'id',
} as const;

export const peerArgument = {
  parse: text,
  proposeCompletions: proposePeers,
  brief: 'Name or session id of the peer',
  placeholder: 'peer',
} as const;

function messageArgument(proposeCompletions: typeof proposePending, brief: string) {
  return { parse: text, proposeCompletions, brief, placeholder: 'msg_id' } as const;
}

export const pendingArgument = messageArgument(proposePending, 'Id of a message that waits for its reply');
export const sentArgument = messageArgument(proposeSent, 'Id that an earlier send printed');
export const inboundArgument = messageArgument(proposeInbound, 'Id of the prompt to answer');

export { text as parseText };
