/** The findings of a report: established, validated, overturned, negative; and what is recommended, but not done. */
import { inline } from './inert-text.ts';
import { bullets, counted, section, table } from './markdown.ts';
import { RESULTS_TSV } from './paths.ts';
import { REF_LEGEND, refLink, type RefTable } from './ref-table.ts';
import type { Bounded, ReportEvidence, Said, ShownFinding } from './report-evidence.ts';
import { findings, movedSentence, texts, type ReadSynthesis } from './synthesis.ts';

export function findingSections(
  synthesis: ReadSynthesis | null,
  evidence: ReportEvidence,
  refs: RefTable,
): string[] {
  return [
    section('Findings', [REF_LEGEND, ...fromSynthesis(synthesis, refs)], ''),
    ...validatedSections(evidence),
    overturnedSection(evidence.overturned),
    negativeSection(synthesis, evidence.falsified, refs),
  ];
}

function fromSynthesis(synthesis: ReadSynthesis | null, refs: RefTable): (string | null)[] {
  if (synthesis === null) return ['There is no synthesis; what the reviews validated stands below.'];
  const { packet, sorted } = synthesis;
  const part = (title: string, blocks: readonly (string | null)[]): string => {
    const there = blocks.filter((block) => block !== null);
    return [`### ${title}`, ...(there.length === 0 ? ['None.'] : there)].join('\n\n');
  };
  return [
    part('Established', [findings(sorted.established, refs)]),
    part('Promising but unverified', [
      movedSentence(sorted),
      findings(sorted.promising, refs, new Set(sorted.moved)),
    ]),
    part('Contradictions', [texts(packet.contradictions)]),
    part('Recommended next decisions', [texts(packet.next_decisions)]),
  ];
}

function validatedSections({ measurements, claims }: ReportEvidence): string[] {
  const rows = ({ shown }: Bounded<ShownFinding>): string[][] =>
    shown.map(({ row, part, text, evidence }) => [
      refLink(row, part),
      inline(text),
      inline(evidence),
      'validated',
    ]);
  return [
    section(
      'Validated measurements',
      [
        table(['Packet', 'Measurement', 'Provenance', 'Verdict'], rows(measurements)),
        rest(measurements, `all of them stand in ${RESULTS_TSV} and the peer reviews`),
      ],
      'No review validated a measurement.',
    ),
    section(
      'Validated claims',
      [
        table(['Packet', 'Claim', 'Evidence', 'Verdict'], rows(claims)),
        rest(claims, 'all of them stand in the peer reviews'),
      ],
      'No review validated a claim.',
    ),
  ];
}

function overturnedSection(overturned: Bounded<ShownFinding>): string {
  const rows = overturned.shown.map(({ row, part, text, reason }) => [
    refLink(row, part),
    inline(text),
    inline(reason),
    'overturned',
  ]);
  return section(
    'Overturned',
    [
      table(['Packet', 'Claim or measurement', 'Why', 'Verdict'], rows),
      rest(overturned, 'all of them stand in the peer reviews'),
    ],
    'No review overturned anything.',
  );
}

function negativeSection(synthesis: ReadSynthesis | null, falsified: Bounded<Said>, refs: RefTable): string {
  return section(
    'Negative results',
    [
      synthesis === null ? null : findings(synthesis.packet.negative_results, refs),
      falsified.total === 0 ? null : 'Hypotheses that the lanes themselves report as falsified:',
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
