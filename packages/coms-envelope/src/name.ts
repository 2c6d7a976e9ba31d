/**
 * Names of peers and projects (04 Registry). Both become parts of file names: what these patterns let through can
 * neither leave its folder nor hide in it.
 */

const peerName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const projectName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const nameUnitsMax = 64;
/** File systems refuse longer parts of a path; the source pattern names no bound. */
const projectUnitsMax = 200;

export function isPeerName(name: string): boolean {
  return peerName.test(name) && name !== 'projects';
}

export function isProjectName(project: string): boolean {
  return projectName.test(project) && !project.includes('..') && project.length <= projectUnitsMax;
}

/**
 * The `ordinal`-th name to try: the name itself, then with 2, 3, … appended. Where the number would make it longer
 * than a name may be, the name gives way.
 */
export function nameCandidate(name: string, ordinal: number): string {
  if (ordinal <= 1) return name;
  const suffix = String(ordinal);
  return name.slice(0, nameUnitsMax - suffix.length) + suffix;
}
