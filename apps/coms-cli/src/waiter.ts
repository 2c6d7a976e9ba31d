/**
 * `send` without `--await` leaves a process that holds the endpoint and spools what comes back.
 *
 * Boundary: both sides of the starting: the parent here, the child in `verbs/wait.ts`. The job goes in by stdin
 * (a prompt may be longer than an argument may be), one line of outcome comes back on stdout.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createLineReader } from '@x/coms-envelope';
import * as z from 'zod/mini';

/** The hidden verb that is the waiter. */
const waiterVerb = '__wait';
/** A child that says nothing for this long is given up: its exchange with the peer is bounded well below. */
const startTimeoutMs = 30_000;

export const waiterJobSchema = z.object({
  project: z.string(),
  name: z.string(),
  peer: z.string(),
  body: z.object({ prompt: z.string(), msgId: z.string(), hops: z.optional(z.number()) }),
  timeoutMs: z.number(),
});
export type WaiterJob = z.infer<typeof waiterJobSchema>;

const failureCodes = [
  'NACK',
  'PEER_DEAD',
  'ENDPOINT_REFUSED',
  'LINE_TOO_LARGE',
  'CONNECT_FAILED',
  'NO_ANSWER',
  'BAD_ANSWER',
  'ABORTED',
] as const;

const startedSchema = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type WaiterStarted = z.infer<typeof startedSchema>;

export type WaiterOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'NOT_STARTED'; readonly message: string }
  | {
      readonly ok: false;
      readonly code: (typeof failureCodes)[number];
      readonly sent: 'maybe';
      readonly message: string;
    };

function readStarted(text: string): WaiterOutcome | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const checked = startedSchema.safeParse(value);
  if (!checked.success) return null;
  if (checked.data.ok) return { ok: true };
  const { code, message } = checked.data;
  const known = failureCodes.find((each) => each === code);
  return known === undefined
    ? { ok: false, code: 'NOT_STARTED', message }
    : { ok: false, code: known, sent: 'maybe', message };
}

/** The bundle's entry, wherever this chunk of it lies. */
function mainPath(): string {
  return fileURLToPath(new URL('./main.js', import.meta.url));
}

/** Starts the waiter and gives what it reports: the peer's ack, or why there is none. Never rejects. */
export function startWaiter(job: WaiterJob): Promise<WaiterOutcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [mainPath(), waiterVerb], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: process.cwd(),
    });
    const reader = createLineReader();
    const done = (outcome: WaiterOutcome): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.unref();
      resolve(outcome);
    };
    const notStarted = (message: string): void => done({ ok: false, code: 'NOT_STARTED', message });
    const timer = setTimeout(() => {
      child.kill();
      notStarted(`the waiting process did not report within ${startTimeoutMs}ms`);
    }, startTimeoutMs);
    child.on('error', (error) => notStarted(`the waiting process did not start: ${error.message}`));
    child.on('exit', (code) => notStarted(`the waiting process ended at once (exit code ${code ?? 'none'})`));
    child.stdout.on('data', (chunk: Buffer) => {
      const line = reader.push(chunk)[0];
      const outcome = line?.kind === 'line' ? readStarted(line.text) : null;
      if (outcome !== null) done(outcome);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(job)}\n`);
  });
}
