/**
 * The built command as a shell runs it: a process of its own, with little environment and a TMPDIR of its own, so that what
 * it leaves behind is seen.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const main = join(import.meta.dirname, '..', '..', '..', 'dist', 'main.js');
export const childScript = join(import.meta.dirname, 'child.sh');
if (!existsSync(main)) throw new Error(`${main} is missing: build before the end-to-end tests`);

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Options {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The whole of stdin, null to leave it open; default nothing. */
  readonly input?: string | Uint8Array | null;
  /** Words before `node main.js`. */
  readonly wrapper?: readonly string[];
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  readonly out: () => string;
}

/** A folder for one test; the caller removes it. */
export function makePlace(base = tmpdir()): string {
  return realpathSync(mkdtempSync(join(base, 'crash-')));
}

/** Memory where there is some: a sweep opens a ledger tens of thousands of times, and each opening syncs it. */
export function makeQuickPlace(): string {
  return makePlace(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

export function removePlace(place: string): void {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

export function start(args: readonly string[], options: Options): Running {
  // A wrapper without words of ours names the command itself.
  const own = args.length === 0 ? [] : [process.execPath, main, ...args];
  const [command = '', ...rest] = [...(options.wrapper ?? []), ...own];
  const { PATH } = process.env;
  const child = spawn(command, rest, {
    cwd: options.cwd,
    env: { PATH, HOME: options.cwd, TMPDIR: options.cwd, LANG: 'C.UTF-8', ...options.env },
    stdio: 'pipe',
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  if (options.input !== null) child.stdin.end(options.input ?? '');
  const ended = new Promise<Ran>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, out, err })),
  );
  return { child, ended, out: () => out };
}

export function conference(args: readonly string[], options: Options): Promise<Ran> {
  return start(args, options).ended;
}

export interface Option {
  readonly id: string;
}
export interface Proposal {
  readonly proposal_id: string;
  readonly row: string;
  readonly found: string;
  readonly options: readonly Option[];
}
export interface Action {
  readonly action: string;
  readonly recorded?: boolean;
  readonly dispatch_id?: string;
  readonly role?: string;
  readonly charter?: object;
  readonly decision_id?: string;
  readonly options?: readonly Option[];
}

/** Members of the documents that the verbs print; each verb has some of them. */
export interface Document {
  readonly plan_digest?: string;
  readonly state?: string;
  readonly phase?: string | null;
  readonly liveness?: string;
  readonly holder?: { readonly pid: number } | null;
  readonly code?: string;
  readonly reason?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly receipt?: Readonly<Record<string, unknown>> | null;
  readonly receipt_digest?: string;
  readonly proposals?: readonly Proposal[];
  readonly actions?: readonly Action[];
  readonly pending?: {
    readonly decision_id: string;
    readonly kind: string;
    readonly options: readonly Option[];
  } | null;
  readonly dispatch_id?: string;
  readonly result?: string;
  readonly digest?: string;
  readonly results?: readonly {
    readonly dispatch_id: string;
    readonly result: string;
    readonly code?: string;
  }[];
  readonly holds?: boolean;
  readonly findings?: readonly { readonly where: string; readonly problem: string }[];
  readonly orphans?: readonly string[];
  readonly timed_out?: readonly string[];
  readonly revision?: number;
  readonly cancelled?: boolean;
  readonly option?: string;
}

/** The JSON document that a verb printed, alone on stdout, and its exit code. */
export async function json(
  args: readonly string[],
  options: Options,
): Promise<{ readonly code: number | null; readonly document: Document; readonly err: string }> {
  const { code, out, err } = await conference([...args, '--json'], options);
  try {
    return { code, err, document: JSON.parse(out) as Document }; // what the tests look at is compared there
  } catch {
    throw new Error(`conference ${args.join(' ')} ended with ${code} and printed no JSON: ${out}${err}`);
  }
}

/** Until a condition holds, looked at every few milliseconds; a bound on how long is the test's own timeout. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
