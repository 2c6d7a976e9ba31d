/** The teams of a command: finds the file, reads it, and words what is wrong with it. */
import { relative, resolve } from 'node:path';
import { readBoundedFile } from '../bounded-file.ts';
import { oneLine, quoted } from '../inert-text.ts';
import { faultLines } from './fault.ts';
import { nearestWord } from './nearest.ts';
import { parseTeams } from './parse-teams.ts';
import type { Teams } from './parse-teams.ts';
import type { Peer } from './peer.ts';
import { findTeamsFile, TEAMS_FILE } from './repository.ts';

/** A teams file is written by hand; a thousand peers fit. */
const TEAMS_FILE_BYTES_MAX = 256 * 1024;

export type OpenTeams =
  | { readonly ok: true; readonly file: string; readonly teams: Teams }
  /** Lines for the person, all that is wrong. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * @param cwd absolute path, from which the file is looked for upwards
 * @param named the file that `--peers` names, relative to `cwd`; undefined to look for it
 */
export function openTeams(cwd: string, named: string | undefined): OpenTeams {
  const path = named === undefined ? findTeamsFile(cwd) : resolve(cwd, named);
  if (path === null) {
    return {
      ok: false,
      problems: [
        `no ${TEAMS_FILE} here or in any folder above ${oneLine(cwd)}: write one, or name a file with --peers`,
      ],
    };
  }
  const file = shortest(cwd, path);
  const content = readBoundedFile(path, TEAMS_FILE_BYTES_MAX);
  if (!content.ok) return { ok: false, problems: [`${file} ${content.why}`] };
  const result = parseTeams(content.text);
  if (!result.ok) return { ok: false, problems: faultLines(file, result.faults) };
  return { ok: true, file, teams: result.teams };
}

export type FoundTeam =
  | { readonly ok: true; readonly team: string; readonly peers: readonly Peer[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** @param team the name asked for; undefined where none was given */
export function findTeam(teams: Teams, team: string | undefined, file: string): FoundTeam {
  const known =
    teams.size === 0 ? `${file} has no team` : `the teams of ${file}: ${[...teams.keys()].join(', ')}`;
  if (team === undefined) return { ok: false, problems: ['which team? Give its name', known] };
  const peers = teams.get(team);
  if (peers !== undefined) return { ok: true, team, peers };
  const nearest = nearestWord(team, teams.keys());
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`;
  return { ok: false, problems: [`no team ${quoted(team)}${hint}`, known] };
}

/** The path as a person would write it from where they are. */
function shortest(cwd: string, path: string): string {
  const fromHere = relative(cwd, path);
  return oneLine(fromHere.length < path.length ? fromHere : path);
}
