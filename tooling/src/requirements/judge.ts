/**
 * The requirement gate's judgement: which requirement is covered, which is open, and what is claimed without right.
 *
 * Boundary: citations in, one judgement out; where the citations come from is the caller's affair.
 *  R1  Covered: cited by at least one test that was executed and passed (from sources: by any test).
 *  R2  Claimed falsely: cited, but only by tests that failed or were not executed.
 *  R3  Unknown: cited, and not in the table. Always a violation, also in a partial run.
 *  R4  Open: cited by none. Allowed until a release is judged, and where an exception with a reason stands.
 *  R5  A partial run sees a part of the tests, so it judges R3 alone.
 */
import { citedIds } from './cited-ids.ts';
import type { ExecutedTest } from './test-report.ts';
import type { Parsed, Requirement, RequirementException } from './table.ts';

export type Citation = {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly counts: boolean;
  readonly inGroup: boolean;
};

export type Status = 'covered' | 'open' | 'excepted' | 'claimed falsely';

export type JudgedRequirement = Requirement & {
  readonly status: Status;
  readonly citedBy: readonly Citation[];
  readonly reason: string | undefined;
};

export type Judgement = {
  readonly rows: readonly JudgedRequirement[];
  readonly unknown: readonly Citation[];
  /** Sentences, one a violation; the gate holds where there is none. */
  readonly violations: readonly string[];
};

export type JudgeInput = {
  readonly requirements: Parsed<Requirement>;
  readonly exceptions: Parsed<RequirementException>;
  readonly citations: readonly Citation[];
  readonly partial: boolean;
  readonly release: boolean;
};

/** Citations of an executed run: a test counts when it passed; a group's title never does (R1). */
export const citationsOfRun = (
  tests: readonly ExecutedTest[],
  prefixes: ReadonlySet<string>,
): readonly Citation[] =>
  tests.flatMap(({ title, groups, file, outcome }) => [
    ...citedIds(title, prefixes).map((id) => ({
      id,
      title,
      file,
      counts: outcome === 'passed',
      inGroup: false,
    })),
    ...groups.flatMap((group) =>
      citedIds(group, prefixes).map((id) => ({ id, title: group, file, counts: false, inGroup: true })),
    ),
  ]);

export const prefixesOf = (requirements: readonly Requirement[]): ReadonlySet<string> =>
  new Set(requirements.map(({ id }) => id.slice(0, id.indexOf('-'))));

export const judgeRequirements = ({
  requirements,
  exceptions,
  citations,
  partial,
  release,
}: JudgeInput): Judgement => {
  const known = new Set(requirements.rows.map(({ id }) => id));
  const excepted = new Map(exceptions.rows.map(({ id, reason }) => [id, reason]));
  const byId = groupById(citations);
  const rows = requirements.rows.map((requirement): JudgedRequirement => {
    const citedBy = (byId.get(requirement.id) ?? []).filter(({ inGroup }) => !inGroup);
    const reason = excepted.get(requirement.id);
    return { ...requirement, citedBy, reason, status: statusOf(citedBy, reason !== undefined) };
  });
  const unknown = citations.filter(({ id }) => !known.has(id));
  return { rows, unknown, violations: violationsOf() };

  function violationsOf(): readonly string[] {
    const always = [
      ...requirements.faults,
      ...exceptions.faults,
      ...[...groupById(unknown)].map(([id, by]) => `${id} is cited and is no requirement: ${placeOf(by[0])}`),
      ...exceptions.rows
        .filter(({ id }) => !known.has(id))
        .map(({ id }) => `requirement-exceptions.tsv excepts ${id}, which is no requirement`),
    ];
    if (partial) return always;
    return [
      ...always,
      ...rows
        .filter(({ status }) => status === 'claimed falsely')
        .map(
          ({ id, citedBy }) =>
            `${id} is claimed only by tests that did not pass or did not run: ${placeOf(citedBy[0])}`,
        ),
      ...rows
        .filter(({ status, reason }) => status === 'covered' && reason !== undefined)
        .map(({ id }) => `${id} is covered: take its exception out of requirement-exceptions.tsv`),
      ...(release
        ? rows.filter(({ status }) => status === 'open').map(({ id }) => `${id} is open: no test cites it`)
        : []),
    ];
  }
};

const statusOf = (citedBy: readonly Citation[], isExcepted: boolean): Status => {
  if (citedBy.some(({ counts }) => counts)) return 'covered';
  if (isExcepted) return 'excepted';
  return citedBy.length > 0 ? 'claimed falsely' : 'open';
};

const groupById = (citations: readonly Citation[]): ReadonlyMap<string, readonly Citation[]> => {
  const groups = new Map<string, Citation[]>();
  for (const citation of citations) {
    const group = groups.get(citation.id);
    if (group === undefined) groups.set(citation.id, [citation]);
    else group.push(citation);
  }
  return groups;
};

const placeOf = (citation: Citation | undefined): string =>
  citation === undefined ? 'nowhere' : `${citation.file}: '${citation.title}'`;
