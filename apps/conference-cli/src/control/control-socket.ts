/** Where the process that holds a folder takes commands (07). Apart from asking it: most readers find nobody there. */
import { existsSync } from 'node:fs';
import { inspectLock } from '@x/ledger/node';

/** Null: nobody holds the folder, or its holder takes no commands. */
export async function controlSocketOf(folder: string): Promise<string | null> {
  if (!existsSync(folder)) return null;
  try {
    const lock = await inspectLock(folder);
    return lock.status === 'held' ? (lock.holder?.control_socket ?? null) : null;
  } catch {
    // No folder, or none that can be read: opening it says so in words.
    return null;
  }
}
