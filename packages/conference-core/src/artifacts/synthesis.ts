/** `synthesis.md`: the accepted synthesis packet, its five parts apart (source 002 Synthesis charter; PACK-13). */
import type { SynthesisPacket } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { sortFindings, type SortedFindings } from '../evidence/established.ts';
import { rowOf } from '../round.ts';
import type { State } from '../state.ts';
import { inline } from './inert-text.ts';
import { bullets, code, counted, markdownFile, packetLinks, section } from './markdown.ts';
import { REF_LEGEND, refTable, type RefTable } from './ref-table.ts';
import { synthesisPacketOf } from './stored-packet.ts';

type Finding = SynthesisPacket['established'][number];

/** A synthesis packet with its findings where they belong. */
export interface ReadSynthesis {
  readonly packet: SynthesisPacket;
  readonly sorted: SortedFindings;
}

export function* readSynthesis(state: State, refs: RefTable): Reading<ReadSynthesis | null> {
  const packet = yield* synthesisPacketOf(rowOf(state.synthesis.rows, state.synthesis.seat));
  if (packet === null) return null;
  return { packet, sorted: sortFindings(packet, (ref) => refs.verdictOf(ref) === 'validated') };
}

export function* synthesis(state: State): Reading<string> {
  const links = packetLinks();
  const refs = refTable(state, links);
  const read = yield* readSynthesis(state, refs);
  if (read === null) return markdownFile(['# Synthesis', 'There is no accepted synthesis packet.']);
  const { packet, sorted } = read;
  const row = rowOf(state.synthesis.rows, state.synthesis.seat);
  const blocked = packet.status === 'blocked' ? ' The synthesis reports that it was blocked.' : '';
  return markdownFile([
    '# Synthesis',
    `From reviewed claims only, by dispatch ${code(row?.dispatch_id ?? '')}, packet ${links.to(row?.digest ?? null)}.${blocked} ${REF_LEGEND}`,
    section('Established findings', [findings(sorted.established, refs)], 'None.'),
    section(
      'Promising but unverified findings',
      [movedSentence(sorted), findings(sorted.promising, refs, new Set(sorted.moved))],
      'None.',
    ),
    section('Contradictions', [texts(packet.contradictions)], 'None.'),
    section('Negative results', [findings(packet.negative_results, refs)], 'None.'),
    section('Recommended next decisions', [texts(packet.next_decisions)], 'None.'),
    ...extra('Uncertainties', packet.uncertainties),
    ...extra('Recommended root actions, none carried out', packet.recommended_root_actions),
    links.addresses(),
  ]);
}

/** What was moved, and why (02 Packets). */
export function movedSentence({ moved }: SortedFindings): string | null {
  if (moved.length === 0) return null;
  return `${counted(moved.length, 'finding was', 'findings were')} moved here from the established ones: not all that they rest on is validated.`;
}

/** Findings with what each rests on. */
export function findings(
  list: readonly Finding[],
  refs: RefTable,
  moved: ReadonlySet<Finding> = new Set(),
): string | null {
  return bullets(
    list.map((finding) => {
      const on =
        finding.claim_refs.length === 0
          ? 'no ref given'
          : finding.claim_refs.map((ref) => refs.show(ref)).join(', ');
      return `${inline(finding.finding)} (${on})${moved.has(finding) ? ' *moved from established*' : ''}`;
    }),
  );
}

export function texts(list: readonly string[]): string | null {
  return bullets(list.map((text) => inline(text)));
}

function extra(title: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : [section(title, [texts(list)], '')];
}
