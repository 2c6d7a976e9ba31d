/** `poster_session_round_N.md`: what the lanes brought and how the poster compares it, before any review (source 002 Poster charter). */
import type { PosterPacket, ResearchPacket } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { laneRows, rowOf, type Round } from '../round.ts';
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
import { acceptedResearch, posterPacketOf, researchPacketOf } from './stored-packet.ts';

interface LanePacket {
  readonly row: DispatchRow;
  readonly packet: ResearchPacket;
}

export function* posterSession(round: Round): Reading<string> {
  const row = rowOf(round.rows, round.poster);
  const poster = yield* posterPacketOf(row);
  const lanes: LanePacket[] = [];
  for (const accepted of acceptedResearch(round)) {
    const packet = yield* researchPacketOf(accepted);
    if (packet !== null) lanes.push({ row: accepted, packet });
  }
  const links = packetLinks();
  return markdownFile([
    `# Poster session of round ${round.round}`,
    lead(round, { row, poster, accepted: lanes.length, links }),
    laneSection(round, links),
    ...comparison(poster, lanes),
    ...fromTheLanes(lanes),
    links.addresses(),
  ]);
}

function lead(
  round: Round,
  given: {
    readonly row: DispatchRow | null;
    readonly poster: PosterPacket | null;
    readonly accepted: number;
    readonly links: PacketLinks;
  },
): string {
  const { row, poster, accepted, links } = given;
  const came = `${accepted} of ${counted(round.lanes.length, 'lane')} brought a packet.`;
  if (row === null || poster === null) return `${came} There is no accepted poster packet.`;
  const status = poster.status === 'blocked' ? ' The poster reports that it was blocked.' : '';
  return `${came} Compared by dispatch ${code(row.dispatch_id)}, packet ${links.to(row.digest)}.${status} Nothing here is reviewed yet, and no winner is named.`;
}

function laneSection(round: Round, links: PacketLinks): string {
  const rows = laneRows(round).flatMap((row) => {
    if (row === null) return [];
    const { dispatch_id, state, facts, digest, code: failure, reason } = row;
    const received = state === 'received';
    const why = [failure ?? '', reason ?? ''].filter((part) => part !== '').join(': ');
    return [
      [
        seatName(row),
        code(dispatch_id),
        received && facts?.status === 'blocked' ? 'received, blocked' : state,
        received ? links.to(digest) : inline(why),
        received ? `${facts?.claims ?? 0}` : '-',
        received ? `${facts?.measurements?.length ?? 0}` : '-',
        received ? `${facts?.stuck_level ?? 0}` : '-',
      ],
    ];
  });
  const columns = [
    'Lane',
    'Dispatch',
    'State',
    'Packet or reason',
    { title: 'Claims', align: 'right' as const },
    { title: 'Measurements', align: 'right' as const },
    { title: 'Stuck level', align: 'right' as const },
  ];
  return section('Lanes', [table(columns, rows)], 'No lane was dispatched.');
}

function comparison(poster: PosterPacket | null, lanes: readonly LanePacket[]): string[] {
  if (poster === null) return [];
  const seats = new Map<string, string>(lanes.map(({ row }) => [row.dispatch_id, seatName(row)]));
  const summaries = poster.summaries.map(({ dispatch_id, summary }) => {
    const seat = seats.get(dispatch_id);
    return `**${seat === undefined ? 'Unknown lane' : `Lane ${seat}`}** (${seat === undefined ? inline(dispatch_id) : code(dispatch_id)}): ${inline(summary)}`;
  });
  const listed = (title: string, entries: readonly string[], none: string): string =>
    section(title, [bullets(entries.map((entry) => inline(entry)))], none);
  return [
    section('Summaries', [bullets(summaries)], 'The poster gave none.'),
    listed('Agreements', poster.agreements, 'None named.'),
    listed('Conflicts', poster.conflicts, 'None named.'),
    listed('Missing evidence', poster.missing_evidence, 'None named.'),
    section(
      'Comparable measurements',
      [
        table(
          ['Name', { title: 'Value', align: 'right' }, 'Provenance'],
          poster.measurements.map(({ name, value, provenance }) => [
            inline(name),
            inline(value),
            inline(provenance),
          ]),
        ),
      ],
      'None named.',
    ),
    listed('Questions for the review', poster.review_questions, 'None named.'),
    ...optional(
      'Claims of the poster',
      poster.claims.map(
        ({ claim, evidence, confidence }) =>
          `${inline(claim)} (${confidence} confidence; evidence: ${inline(evidence)})`,
      ),
    ),
    ...optional(
      'Uncertainties of the poster',
      poster.uncertainties.map((text) => inline(text)),
    ),
    ...optional(
      'Root actions that the poster recommends, none carried out',
      poster.recommended_root_actions.map((text) => inline(text)),
    ),
  ];
}

/** What only the packets themselves say: what was tried and failed, what is uncertain, what the root might do. */
function fromTheLanes(lanes: readonly LanePacket[]): string[] {
  const hypotheses = lanes.flatMap(({ row, packet }) =>
    packet.hypotheses.map(({ statement, verdict, evidence }) => [
      seatName(row),
      verdict,
      inline(statement),
      inline(evidence),
    ]),
  );
  const perLane = (entriesOf: (packet: ResearchPacket) => readonly string[]): string[] =>
    lanes.flatMap(({ row, packet }) =>
      entriesOf(packet).map((text) => `Lane ${seatName(row)}: ${inline(text)}`),
    );
  return [
    section(
      'Hypotheses',
      [table(['Lane', "The lane's own verdict", 'Statement', 'Evidence'], hypotheses)],
      'No lane reported any.',
    ),
    section('Uncertainties', [bullets(perLane(({ uncertainties }) => uncertainties))], 'No lane named any.'),
    section(
      'Recommended root actions',
      [bullets(perLane(({ recommended_root_actions }) => recommended_root_actions))],
      'No lane recommended any.',
    ),
  ];
}

function optional(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [section(title, [bullets(entries)], '')];
}
