/** `peer_review_round_N.md`: the reviewer's verdict on each claim and measurement, and what it counts for (source 002 Reviewer charter). */
import type { ResearchPacket, ReviewerPacket, Verdict, VerdictFact } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { claimRef, indexRefs, measurementRef, resolveRef } from '../evidence/claim-ref.ts';
import { laneRows, rowOf, type Round } from '../round.ts';
import type { State } from '../state.ts';
import { inline } from './inert-text.ts';
import {
  bullets,
  code,
  counted,
  markdownFile,
  packetLinks,
  seatName,
  section,
  table,
  type PacketLinks,
} from './markdown.ts';
import { acceptedResearch, researchPacketOf, reviewerPacketOf } from './stored-packet.ts';

type Entry = ReviewerPacket['verdicts'][number];

interface Reviewed {
  readonly row: DispatchRow;
  readonly packet: ResearchPacket;
}

interface Sorted {
  readonly byRef: ReadonlyMap<string, readonly Entry[]>;
  /** Verdicts that name nothing known, or several claims (02 Packets). */
  readonly remarks: readonly Entry[];
}

export function* peerReview(state: State, round: Round): Reading<string> {
  const row = rowOf(round.rows, round.review);
  const packet = yield* reviewerPacketOf(row);
  const lanes: Reviewed[] = [];
  for (const accepted of acceptedResearch(round)) {
    const research = yield* researchPacketOf(accepted);
    if (research !== null) lanes.push({ row: accepted, packet: research });
  }
  const heading = `# Peer review of round ${round.round}`;
  if (row === null || packet === null) return markdownFile([heading, 'There is no accepted review packet.']);
  const blocked = packet.status === 'blocked';
  const facts = new Map<string, VerdictFact>(
    (blocked ? [] : (row.facts?.verdicts ?? [])).map((fact) => [fact.ref, fact]),
  );
  const sorted = sortEntries(packet, lanes);
  const links = packetLinks();
  return markdownFile([
    heading,
    lead(row, { facts: [...facts.values()], blocked, links }),
    ...(state.planned?.plan.mode === 'qualitative' ? [qualitativeScores(round, packet, blocked)] : []),
    section('Verdicts', verdictsByLane(lanes, { sorted, facts, links }), 'There was nothing to review.'),
    ...remarks(sorted.remarks),
    section(
      'Verification requests',
      [
        sentence(
          packet.verification_requests,
          'Asked for by the reviewer, carried out by nobody, and no evidence:',
        ),
        list(packet.verification_requests),
      ],
      'The reviewer asked for none.',
    ),
    ...own(packet),
    links.addresses(),
  ]);
}

function lead(
  row: DispatchRow,
  given: { readonly facts: readonly VerdictFact[]; readonly blocked: boolean; readonly links: PacketLinks },
): string {
  const { facts, blocked, links } = given;
  const count = (verdict: Verdict): number => facts.filter((fact) => fact.verdict === verdict).length;
  const downgraded = facts.filter((fact) => fact.downgraded === true).length;
  const counts = `${count('validated')} validated, ${count('challenged')} challenged, ${count('overturned')} overturned.`;
  const why =
    downgraded === 0
      ? ''
      : ` ${counted(downgraded, 'verdict was', 'verdicts were')} downgraded to challenged: self-assessment alone validates nothing.`;
  const stopped = blocked ? ' The reviewer reports that it was blocked, so none of its verdicts counts.' : '';
  return `${counts}${why}${stopped} Reviewed by dispatch ${code(row.dispatch_id)}, packet ${links.to(row.digest)}.`;
}

/** Each verdict with the ref it is about, by the same rule as at admission. */
function sortEntries(packet: ReviewerPacket, lanes: readonly Reviewed[]): Sorted {
  const index = indexRefs(
    lanes.map(({ row, packet: shown }) => ({ dispatch_id: row.dispatch_id, packet: shown })),
  );
  const byRef = new Map<string, Entry[]>();
  const unmatched: Entry[] = [];
  for (const entry of packet.verdicts) {
    const ref = resolveRef(entry, index)?.ref;
    if (ref === undefined) unmatched.push(entry);
    else byRef.set(ref, [...(byRef.get(ref) ?? []), entry]);
  }
  return { byRef, remarks: unmatched };
}

const VERDICT_COLUMNS = ['Ref', 'Claim or measurement', 'Verdict', 'Reason', 'Evidence', 'Confidence'];

function verdictsByLane(
  lanes: readonly Reviewed[],
  given: {
    readonly sorted: Sorted;
    readonly facts: ReadonlyMap<string, VerdictFact>;
    readonly links: PacketLinks;
  },
): (string | null)[] {
  const { facts, links } = given;
  const { byRef } = given.sorted;
  return lanes.flatMap(({ row, packet }) => {
    const refs = refsOf(row, packet);
    const rows = refs.flatMap(({ ref, name, text }) =>
      (byRef.get(ref) ?? []).map((entry) => [
        name,
        text,
        verdictText(entry, facts.get(ref)),
        inline(entry.reason),
        inline(entry.evidence),
        entry.confidence,
      ]),
    );
    const unnamed = refs.filter(({ ref }) => !byRef.has(ref)).map(({ name }) => name);
    const title = `### Lane ${seatName(row)}`;
    const from = `Dispatch ${code(row.dispatch_id)}, packet ${links.to(row.digest)}.`;
    const rest =
      unnamed.length === 0 ? null : `Not named by the reviewer, so not validated: ${unnamed.join(', ')}.`;
    const none = packet.status === 'blocked' ? 'The lane was blocked; it brought no evidence.' : null;
    return [title, from, table(VERDICT_COLUMNS, rows), rest, none];
  });
}

interface ShownRef {
  readonly ref: string;
  /** `c1`, `m2`: the part of the ref after the dispatch id. */
  readonly name: string;
  readonly text: string;
}

function refsOf({ dispatch_id }: DispatchRow, packet: ResearchPacket): ShownRef[] {
  if (packet.status !== 'completed') return [];
  return [
    ...packet.claims.map(({ claim }, index) => ({
      ref: claimRef(dispatch_id, index + 1),
      name: `c${index + 1}`,
      text: inline(claim),
    })),
    ...packet.measurements.map(({ name, value }, index) => ({
      ref: measurementRef(dispatch_id, index + 1),
      name: `m${index + 1}`,
      text: `${inline(name)}: ${inline(value)}`,
    })),
  ];
}

/** The verdict, and where it is not what counts, what does: the worst on one ref (02 Packets). */
function verdictText({ verdict }: Entry, fact: VerdictFact | undefined): string {
  if (fact === undefined) return `${verdict} (does not count)`;
  if (fact.downgraded === true && verdict === 'validated')
    return '**challenged** (downgraded from validated)';
  return fact.verdict === verdict ? `**${verdict}**` : `${verdict} (${fact.verdict} counts)`;
}

function remarks(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  const rows = entries.map(({ claim, claim_ref, verdict, reason, evidence }) => [
    claim_ref === undefined ? inline(claim) : `${inline(claim)} (${inline(claim_ref)})`,
    verdict,
    inline(reason),
    inline(evidence),
  ]);
  const why = 'These name no claim or measurement of the round, or several at once. They validate nothing.';
  return [
    section("The reviewer's own remarks", [why, table(['About', 'Word', 'Reason', 'Evidence'], rows)], ''),
  ];
}

/** The only scores that count (source 003 Score source; CONV-12). A lane scored twice keeps the lower one. */
function qualitativeScores(round: Round, packet: ReviewerPacket, blocked: boolean): string {
  const scores = packet.scores ?? [];
  const rows = laneRows(round).flatMap((row) => {
    if (row === null) return [];
    const given = scores.filter(({ dispatch_id }) => dispatch_id === row.dispatch_id);
    if (given.length === 0) return [[seatName(row), code(row.dispatch_id), '-', whyUnscored(row)]];
    return given.map(({ score, reason }) => [
      seatName(row),
      code(row.dispatch_id),
      row.score === score
        ? `**${score}**`
        : `${score} (${blocked || row.score === null ? 'does not count' : `${row.score} counts`})`,
      inline(reason),
    ]);
  });
  return section(
    'Qualitative Scores',
    [table(['Lane', 'Dispatch', { title: 'Score of 10', align: 'right' }, 'Reason'], rows)],
    'The reviewer gave no scores.',
  );
}

function whyUnscored({ state, facts }: DispatchRow): string {
  if (state !== 'received') return `no packet: ${state}`;
  return facts?.status === 'blocked' ? 'the lane was blocked' : 'not scored by the reviewer';
}

function own(packet: ReviewerPacket): string[] {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Uncertainties of the reviewer', packet.uncertainties],
    ['Root actions that the reviewer recommends, none carried out', packet.recommended_root_actions],
  ];
  return parts.flatMap(([title, entries]) =>
    entries.length === 0 ? [] : [section(title, [list(entries)], '')],
  );
}

function list(entries: readonly string[] | undefined): string | null {
  return bullets((entries ?? []).map((entry) => inline(entry)));
}

function sentence(entries: readonly string[] | undefined, text: string): string | null {
  return (entries ?? []).length === 0 ? null : text;
}
