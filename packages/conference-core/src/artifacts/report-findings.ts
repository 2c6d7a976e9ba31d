/** The findings of a report: established, validated, overturned, negative; and what is recommended, but not done. */
import type { Verdict } from '@x/protocol';
import { inline } from './inert-text.ts';
import { bullets, counted, section, subsection, table, type PacketLinks } from './markdown.ts';
import { RESULTS_TSV } from './paths.ts';
import { REF_LEGEND, rowName, type RefTable } from './ref-table.ts';
import type { Bounded, ReportEvidence, ReportFinding, Said } from './report-evidence.ts';
import { findings, movedSentence, texts, type ReadSynthesis } from './synthesis.ts';

/** What the synthesis says, part by part. */
export function findingSections(
  synthesis: ReadSynthesis | null,
  evidence: ReportEvidence,
  refs: RefTable,
): string[] {
  const negative = negativeSection(synthesis, evidence.falsified, refs);
  if (synthesis === null) {
    return [
      section('Findings', [], 'There is no synthesis; what the reviews validated is listed below.'),
      negative,
    ];
  }
  const { packet, sorted } = synthesis;
  return [
    section(
      'Findings',
      [
        REF_LEGEND,
        subsection('Established', [findings(sorted.established, refs)]),
        subsection('Promising but unverified', [
          movedSentence(sorted),
          findings(sorted.promising, refs, new Set(sorted.moved)),
        ]),
        subsection('Contradictions', [texts(packet.contradictions)]),
        subsection('Recommended next decisions', [texts(packet.next_decisions)]),
      ],
      '',
    ),
    negative,
  ];
}

/** What the reviews said of each finding, with the packet that it stands in. */
export function evidenceSections({ validated, overturned }: ReportEvidence, links: PacketLinks): string[] {
  const cells = ({ row, index, claim, measurement, ...verdicts }: ReportFinding): string[] => [
    links.named(rowName(row), row.digest),
    claim === null ? '-' : inline(claim),
    measurement === null ? '-' : inline(measurement),
    verdictText(index, verdicts),
  ];
  return [
    section(
      'Validated',
      [
        table(['Packet', 'Claim', 'Measurement', 'Verdict'], validated.shown.map(cells)),
        rest(validated, `all measurements stand in ${RESULTS_TSV}, all verdicts in the peer reviews`),
      ],
      'No review validated anything.',
    ),
    section(
      'Overturned',
      [
        table(
          ['Packet', 'Claim', 'Measurement', 'Verdict', 'Why'],
          overturned.shown.map((finding) => [
            ...cells(finding),
            finding.reason === null ? '-' : inline(finding.reason),
          ]),
        ),
        rest(overturned, 'all verdicts stand in the peer reviews'),
      ],
      'No review overturned anything.',
    ),
  ];
}

/** `c3 validated, m3 validated`: what the review named at this index. */
function verdictText(
  index: number,
  { claimVerdict, measurementVerdict }: Pick<ReportFinding, 'claimVerdict' | 'measurementVerdict'>,
): string {
  const part = (kind: string, verdict: Verdict | null): string[] =>
    verdict === null ? [] : [`${kind}${index + 1} ${verdict}`];
  return [...part('c', claimVerdict), ...part('m', measurementVerdict)].join(', ');
}

function negativeSection(synthesis: ReadSynthesis | null, falsified: Bounded<Said>, refs: RefTable): string {
  return section(
    'Negative results',
    [
      synthesis === null ? null : findings(synthesis.packet.negative_results, refs),
      falsified.total === 0 ? null : 'Hypotheses that the lanes themselves report as falsified, unreviewed:',
      bullets(falsified.shown.map(saidText)),
      rest(falsified, 'the poster sessions have all of them'),
    ],
    'None were reported.',
  );
}

/** Evidence for a decision, never an order: the root carries none of them out (000 §7; 002 Reviewer charter). */
export function recommendationSections(synthesis: ReadSynthesis | null, evidence: ReportEvidence): string[] {
  const { recommended, requests } = evidence;
  const own = synthesis?.packet.recommended_root_actions ?? [];
  return [
    section(
      'Recommended root actions',
      [
        own.length + recommended.total === 0
          ? null
          : 'Recommended by children. None was carried out, and none authorizes anything.',
        bullets([...own.map((text) => `${inline(text)} (synthesis)`), ...recommended.shown.map(saidText)]),
        rest(recommended, 'the poster sessions and peer reviews have all of them'),
      ],
      'None.',
    ),
    section(
      'Verification requests',
      [
        requests.total === 0
          ? null
          : 'Asked for by reviewers. None was carried out, and none counts as evidence.',
        bullets(requests.shown.map(saidText)),
        rest(requests, 'the peer reviews have all of them'),
      ],
      'None.',
    ),
  ];
}

function saidText({ text, by, times }: Said): string {
  return `${inline(text)} (${by}${times === 1 ? '' : `, and ${counted(times - 1, 'time')} more`})`;
}

function rest({ shown, total }: Bounded<unknown>, where: string): string | null {
  const more = total - shown.length;
  return more === 0 ? null : `${more} more are not shown here; ${where}.`;
}
