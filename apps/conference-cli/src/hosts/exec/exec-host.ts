/**
 * The exec host: a program, started once for each child (07 exec).
 *
 * X1 A child gets its charter on stdin and in a file beside its own empty folder, and no path of the conference.
 * X2 Its whole process group ends at deadline, cancel, and with the root, however that ends.
 * X3 Temporary folders lie in one root named by the conference id, so a resume finds what a killed root left behind.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DelegateHost, HostMessage, RecordedIssue, SentCharter } from '@x/conference-core/chair';
import type { Capability, ConferenceId, DispatchId } from '@x/protocol';
import { childEnvironment, type ChildFolders } from './child-environment.ts';
import { endStrays } from './strays.ts';
import { temporaryRootOf } from './temporary-root.ts';
import { startChild, type ChildEnd, type RunningChild } from './child.ts';
import { errorCode } from '../../error-code.ts';

export interface ExecHostOptions {
  readonly words: readonly [string, ...string[]];
  readonly slots: number;
  readonly conferenceId: ConferenceId;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly passEnv: readonly string[];
  /** Where temporary folders are made; default the system's. */
  readonly temporaryFolder?: string;
  /** The end of a child's stderr, for the terminal only. */
  readonly onDiagnostics: (dispatchId: DispatchId, text: string) => void;
}

/** Milliseconds between asking a child to end and ending it. */
const STOP_GRACE_MS = 2_000;

export function createExecHost(options: ExecHostOptions): DelegateHost {
  const base = temporaryRootOf(options.conferenceId, options.temporaryFolder);
  const running = new Map<DispatchId, RunningChild>();
  let listener: (message: HostMessage) => void = () => undefined;
  let prepared = false;
  let closed: Promise<void> | null = null;

  const prepare = (): void => {
    if (prepared) return;
    // What an earlier root left behind: it held the ledger's lock, as we do now, so it is gone.
    rmSync(base, { recursive: true, force: true });
    mkdirSync(base, { mode: 0o700, recursive: true });
    prepared = true;
  };

  const tell = (dispatchId: DispatchId, ended: ChildEnd): void => {
    running.delete(dispatchId);
    if (ended.stderrTail !== '') options.onDiagnostics(dispatchId, ended.stderrTail);
    if (ended.end === 'packet') listener({ message: 'result', dispatch_id: dispatchId, bytes: ended.bytes });
    else {
      const reason = `the child ${ended.reason}`;
      listener({ message: 'failed', dispatch_id: dispatchId, code: 'host_failed', reason });
    }
  };

  const delegate = (issued: RecordedIssue, sent: SentCharter): void => {
    const { dispatch_id } = issued.payload;
    let child: RunningChild;
    try {
      prepare();
      const folders = makeFolders(base, dispatch_id, sent.text);
      child = startChild({
        words: options.words,
        cwd: folders.work,
        environment: childEnvironment(options.environment, folders, options.passEnv),
        input: sent.text,
        outputBytesMax: sent.packetBytesMax,
      });
    } catch (error) {
      const reason = `the child cannot be started: ${errorCode(error, 'unexpected failure')}`;
      queueMicrotask(() => listener({ message: 'failed', dispatch_id, code: 'host_failed', reason }));
      return;
    }
    running.set(dispatch_id, child);
    queueMicrotask(() => listener({ message: 'acknowledged', dispatch_id }));
    void child.ended.then((ended) => tell(dispatch_id, ended));
  };

  const shutDown = async (): Promise<void> => {
    const children = [...running.values()];
    for (const child of children) child.stop(STOP_GRACE_MS);
    await Promise.all(children.map(({ ended }) => ended));
    if (prepared) endStrays(base);
    rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  };

  return {
    name: 'exec',
    temporaryRoots: true,
    capability: (): Promise<Capability> => Promise.resolve({ delegate_task: true, slots: options.slots }),
    attach: (given, open) => {
      listener = given;
      // Its own earlier children died with their root (01 Recovery).
      for (const dispatch_id of open) {
        const reason = 'the child ended with the root that had started it';
        queueMicrotask(() => given({ message: 'failed', dispatch_id, code: 'host_lost', reason }));
      }
    },
    delegate,
    cancel: (ended) => running.get(ended.payload.dispatch_id)?.stop(STOP_GRACE_MS),
    close: () => (closed ??= shutDown()),
  };
}

function makeFolders(base: string, dispatchId: DispatchId, charter: string): ChildFolders {
  const root = join(base, dispatchId);
  const folders = {
    root,
    work: join(root, 'work'),
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    charterFile: join(root, 'charter.json'),
  };
  for (const folder of [root, folders.work, folders.home, folders.temporary])
    mkdirSync(folder, { mode: 0o700 });
  writeFileSync(folders.charterFile, charter, { mode: 0o400 });
  return folders;
}
