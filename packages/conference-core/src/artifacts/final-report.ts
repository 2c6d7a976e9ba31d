/**
 * `final_report.md` (03 Artifacts): the outcome first, then what limits it, what was found and on what evidence, how
 * it went, and last the cleanup receipt.
 *
 * The same text is the root's response without a grant, and the view of a conference that is still under way. Nothing
 * in it depends on the folder but the ledger line.
 */
import { WRITE_AUTHORITY_MISSING } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { isFinal, openDispatches, type State } from '../state.ts';
import { cleanupReceipt } from './cleanup-receipt.ts';
import { inline, quote } from './inert-text.ts';
import { ledgerLine, type LedgerLine } from './ledger-line.ts';
import { bullets, code, counted, markdownFile, packetLinks, section, table } from './markdown.ts';
import { FINAL_REPORT_MD } from './paths.ts';
import { refTable } from './ref-table.ts';
import { renderCleanupReceipt } from './render-cleanup-receipt.ts';
import { reportEvidence } from './report-evidence.ts';
import { evidenceSections, findingSections, recommendationSections } from './report-findings.ts';
import { leadSentences, limitationSection, outcomeLine } from './report-head.ts';
import {
  blockedSection,
  budgetSection,
  convergenceSection,
  decisionSection,
  dispatchSection,
  roundSection,
} from './report-rounds.ts';
import { readSynthesis } from './synthesis.ts';

/** The output channels of the contract (001 Output channels). */
const CHANNELS = [
  '```yaml',
  'artifact_genre: internal_analysis',
  'limitations_channel: designated_section',
  '```',
];

export function* finalReport(state: State, head: LedgerLine): Reading<string> {
  const links = packetLinks();
  const refs = refTable(state, links);
  const synthesis = yield* readSynthesis(state, refs);
  const evidence = yield* reportEvidence(state);
  const finished = isFinal(state) && openDispatches(state) === 0;
  return markdownFile([
    outcomeLine(state),
    leadSentences(state),
    CHANNELS.join('\n'),
    limitationSection(state),
    ...blockedSection(state),
    goalSection(state),
    ...findingSections(synthesis, evidence, refs),
    ...recommendationSections(synthesis, evidence),
    roundSection(state),
    convergenceSection(state),
    budgetSection(state),
    decisionSection(state),
    ...evidenceSections(evidence, links),
    dispatchSection(state, links),
    filesSection(state),
    recordSection(state, head),
    links.addresses(),
    renderCleanupReceipt(cleanupReceipt(state), finished),
  ]);
}

function goalSection(state: State): string {
  const plan = state.planned?.plan;
  if (plan === undefined) return section('Goal', [], 'Nothing is planned.');
  const { metric, criteria } = plan;
  return section(
    'Goal',
    [
      quote(plan.goal),
      bullets([
        `Mode: ${plan.mode}`,
        ...(metric === undefined
          ? []
          : [`Metric: ${inline(metric.name)}, ${metric.direction}, target ${inline(metric.target)}`]),
        ...criteria.map((text) => `Criterion: ${inline(text)}`),
      ]),
    ],
    '',
  );
}

/** What the root wrote, as bytes that can be compared; the report cannot name its own. */
function filesSection({ grant, artifacts }: State): string {
  if (grant === null) {
    return section(
      'Files',
      [],
      `None. ${code(WRITE_AUTHORITY_MISSING)}: there is no active grant, so this text is the root's response.`,
    );
  }
  const rows = [...artifacts]
    .filter(([path]) => path !== FINAL_REPORT_MD)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, { digest, bytes }]) => [`[${path}](${path})`, `${bytes}`, code(digest)]);
  return section(
    'Files',
    [table(['File', { title: 'Bytes', align: 'right' }, 'Digest'], rows)],
    'None but this report.',
  );
}

/** By what the report can be checked: ids, the plan, who ran it, and where the ledger stood. */
function recordSection({ planned, started }: State, head: LedgerLine): string {
  const entries = [
    ...(planned === null
      ? []
      : [
          `Conference: ${code(planned.conference_id)}`,
          `Plan: ${code(planned.plan_digest)}`,
          `Packets: ${planned.replay ? 'from a recording; this is a replay' : 'from the children of this conference'}`,
        ]),
    ...(started === null
      ? []
      : [
          `Run: driver ${code(started.driver)}, host ${inline(started.host)}, ${counted(started.slots, 'slot')}`,
        ]),
  ];
  return section('Record', [bullets(entries), ledgerLine(head)], '');
}
