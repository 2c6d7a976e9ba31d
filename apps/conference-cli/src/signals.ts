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

/** Installs the handlers; what it gives takes them away again. */
export function onSignals(context: CliContext, { stop, cancel, view }: SignalActions): () => void {
  const { node } = context;
  let interrupts = 0;
  const interrupt = (): void => {
    interrupts += 1;
    if (interrupts > 1) {
      context.err('conference: stopped at once; what is recorded stands');
      stop();
      return;
    }
    if (!node.stdin.isTTY) {
      cancel('Ctrl-C');
      return;
    }
    void ask();
  };
  const ask = async (): Promise<void> => {
    view.pause();
    const { askCancel } = await import('./askers/terminal-asker.ts');
    const yes = await askCancel();
    view.resume();
    if (yes) cancel('Ctrl-C');
    else interrupts = 0;
  };
  node.on('SIGINT', interrupt);
  node.on('SIGTERM', stop);
  node.on('SIGHUP', stop);
  return () => {
    node.off('SIGINT', interrupt);
    node.off('SIGTERM', stop);
    node.off('SIGHUP', stop);
  };
}
