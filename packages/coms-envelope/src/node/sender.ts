/**
 * Who sent a prompt, in terms that survive a restart: name, project and folder, not session (05).
 */
import { promptDetails } from '../prompt-details.ts';
import type { Prompt } from '../envelope.ts';
import type { RegistryEntry } from '../entry.ts';
import { isPeerName } from '../name.ts';
import type { Coms } from './coms-folder.ts';
import { listProjects, lookUp } from './registry.ts';

/** Two prompts with equal fields come from the same sender. An empty string stands for what is not known. */
export interface SenderIdentity {
  readonly name: string;
  readonly project: string;
  readonly cwd: string;
}

function entryOfSender(coms: Coms, project: string, prompt: Prompt): RegistryEntry | null {
  const { senderName, senderSession } = promptDetails(prompt);
  if (senderName === undefined || !isPeerName(senderName)) return null;
  const found = lookUp(coms, project, senderName);
  if (found.kind !== 'entry') return null;
  const { entry } = found;
  return entry.endpoint === prompt.sender_endpoint || entry.session_id === senderSession ? entry : null;
}

/**
 * The sender of a prompt. Its project is where its registry entry stands, looked for first in `project` (ours);
 * a sender without an entry counts as one of `project`. Never throws.
 */
export function senderOf(coms: Coms, prompt: Prompt, project: string): SenderIdentity {
  const { senderName = '', senderCwd = '' } = promptDetails(prompt);
  if (entryOfSender(coms, project, prompt) !== null) return { name: senderName, project, cwd: senderCwd };
  let others: string[] = [];
  try {
    others = listProjects(coms);
  } catch {
    // An unreadable registry knows nobody: the sender counts as one of our project.
  }
  const home = others.find((other) => other !== project && entryOfSender(coms, other, prompt) !== null);
  return { name: senderName, project: home ?? project, cwd: senderCwd };
}

export function isSameSender(a: SenderIdentity, b: SenderIdentity): boolean {
  return a.name === b.name && a.project === b.project && a.cwd === b.cwd;
}

/** The endpoint at which this sender is registered now, or null. Whether it answers, sending will show. */
export function newestEndpoint(coms: Coms, sender: SenderIdentity): string | null {
  if (!isPeerName(sender.name)) return null;
  const found = lookUp(coms, sender.project, sender.name);
  return found.kind === 'entry' && found.entry.cwd === sender.cwd ? found.entry.endpoint : null;
}
