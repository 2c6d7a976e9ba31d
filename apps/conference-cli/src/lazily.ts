/** A verb whose code is loaded when it is called: start-up reads definitions only. */
import type { CliContext } from './context.ts';

type Verb<Flags, Args extends readonly unknown[]> = (
  context: CliContext,
  flags: Flags,
  ...args: Args
) => void | Promise<void>;

export function lazily<Flags, Args extends readonly unknown[]>(load: () => Promise<Verb<Flags, Args>>) {
  return async () => {
    const verb = await load();
    return function runVerb(this: CliContext, flags: Flags, ...args: Args): void | Promise<void> {
      return verb(this, flags, ...args);
    };
  };
}
