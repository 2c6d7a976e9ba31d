/**
 * Signals of a run (07): the first Ctrl-C asks and then cancels, a second one stops at once and loses nothing recorded;
 * SIGTERM and SIGHUP stop resumably.
 */
import type { CliContext } from './context.ts';
import type { RunView } from './views/run-view.ts';

export interface SignalActions {
  /** Ends the run resumably. */
  readonly stop: () => void;
  readonly cancel: (reason: string) => void;
  readonly view: RunView;
}

/** Installs the handlers; what it gives takes them away again, and an open question with them. */
export function onSignals(context: CliContext, { stop, cancel, view }: SignalActions): () => void {
  const { node } = context;
  const over = new AbortController();
  let interrupts = 0;
  const stopAtOnce = (): void => {
    over.abort();
    view.note('conference: stopped at once; what is recorded stands');
    stop();
  };
  const interrupt = (): void => {
    interrupts += 1;
    if (interrupts > 1) return stopAtOnce();
    if (node.stdin.isTTY) void ask();
    else cancel('Ctrl-C');
  };
  const ask = async (): Promise<void> => {
    view.pause();
    const { askCancel } = await import('./askers/terminal-asker.ts');
    const answer = over.signal.aborted ? 'go_on' : await askCancel(node.stdin, over.signal);
    view.resume();
    if (answer === 'cancel') cancel('Ctrl-C');
    else if (answer === 'stop') stopAtOnce();
    else interrupts = 0;
  };
  const terminate = (): void => {
    over.abort();
    stop();
  };
  node.on('SIGINT', interrupt);
  node.on('SIGTERM', terminate);
  node.on('SIGHUP', terminate);
  return () => {
    over.abort();
    node.off('SIGINT', interrupt);
    node.off('SIGTERM', terminate);
    node.off('SIGHUP', terminate);
  };
}
