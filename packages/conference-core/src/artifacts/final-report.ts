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
import { bullets, code, counted, markdownFile, section, shortDigest } from './markdown.ts';
import { FINAL_REPORT_MD } from './paths.ts';
import { refTable } from './ref-table.ts';
import { renderCleanupReceipt } from './render-cleanup-receipt.ts';
import { reportEvidence } from './report-evidence.ts';
import { findingSections, recommendationSections } from './report-findings.ts';
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
  const refs = refTable(state);
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
    dispatchSection(state),
    recordSection(state, head),
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

/** By what the report can be checked: ids, digests, files, and where the ledger stood. */
function recordSection(state: State, head: LedgerLine): string {
  const { planned, started, grant } = state;
  const artifacts = [...state.artifacts]
    .filter(([path]) => path !== FINAL_REPORT_MD)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, { digest }]) => `[${path}](${path}) ${shortDigest(digest)}`);
  const entries = [
    ...(planned === null
      ? []
      : [
          `Conference: ${code(planned.conference_id)}`,
          `Plan: ${code(planned.plan_digest)}`,
          planned.replay
            ? 'Packets: from a recording; this is a replay'
            : 'Packets: from the children of this conference',
        ]),
    ...(started === null
      ? []
      : [
          `Driven by ${code(started.driver)} over the host ${inline(started.host)}, ${counted(started.slots, 'slot')}`,
        ]),
    grant === null
      ? `Files: none. ${WRITE_AUTHORITY_MISSING}: there is no active grant, so this report is the root's response`
      : `Files: ${artifacts.length === 0 ? 'none yet' : artifacts.join(', ')}`,
  ];
  return section('Record', [bullets(entries), ledgerLine(head)], '');
}
