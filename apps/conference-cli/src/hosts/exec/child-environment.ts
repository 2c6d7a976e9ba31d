/** What a child of the exec host is given: little, and named (07 exec). */
import type { Charter } from '@x/protocol';

/** Names that are handed on as they are, beside `LC_*`. */
const HANDED_ON = ['PATH', 'LANG', 'TZ'] as const;

export interface ChildFolders {
  /** Its own, removed at the end of the session; named by the dispatch id. */
  readonly root: string;
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
  readonly charterFile: string;
}

/** The whole environment of a child. `passed`: further names, shown among the conditions of the plan. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  folders: ChildFolders,
  passed: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const handed = HANDED_ON.some((one) => one === name) || name.startsWith('LC_') || passed.includes(name);
    if (handed && value !== undefined) environment[name] = value;
  }
  return {
    ...environment,
    HOME: folders.home,
    TMPDIR: folders.temporary,
    CONFERENCE_CHARTER: folders.charterFile,
    // The charter says so too; here a tool that looks before it delegates finds it.
    delegation_allowed: String(false satisfies Charter['delegation_allowed']),
  };
}
