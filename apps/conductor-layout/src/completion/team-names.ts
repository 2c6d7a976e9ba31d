/** The teams that can be completed: those of the file the command line names, or of the one found from here. */
import { openTeams } from '../teams-file/open-teams.ts';
import type { World } from '../world.ts';

export function teamNames({ cwd, words }: World): string[] {
  const flag = words.lastIndexOf('--peers');
  const named = flag < 0 ? undefined : words[flag + 1];
  const opened = openTeams(cwd, named);
  return opened.ok ? [...opened.teams.keys()] : [];
}
