/** The poster: lays the lanes' measurements side by side. It names no winner; it asks what review has to settle. */
import { inUnit } from '../charter.mjs';
import { findingsOf, shownPackets } from '../evidence.mjs';

/** A size below this part of the next larger one is worth a question. */
const SUSPICIOUS = 0.9;

/**
 * @typedef {import('../evidence.mjs').Finding} Finding
 * @param {import('../charter.mjs').Charter} charter
 */
export function compare(charter) {
  const packets = shownPackets(charter).filter(({ lane }) => lane !== null);
  const findings = findingsOf(packets);
  const byRef = new Map(findings.map((finding) => [finding.ref, finding]));
  return {
    dispatch_id: charter.dispatch_id,
    role: charter.role,
    status: 'completed',
    claims: [],
    uncertainties: ['The poster compares what lanes report; it measured nothing itself.'],
    recommended_root_actions: [],
    summaries: packets.map(({ dispatch_id, lane, item }) => ({
      dispatch_id,
      summary: `Lane ${lane}: ${summaryOf(findings.filter((finding) => finding.item === item))}`,
    })),
    agreements: repeated(findings, (sizes) => sizes.size === 1),
    conflicts: repeated(findings, (sizes) => sizes.size > 1),
    missing_evidence: packets.flatMap(({ lane, item, measurements }) =>
      missing(lane, item, measurements, findings),
    ),
    measurements: packets
      .flatMap(({ measurements }) => measurements.flatMap(({ ref }) => byRef.get(ref) ?? []))
      .map(({ size, text, lane }) => ({
        name: charter.success_definition.metric?.name ?? 'encoded_bytes',
        value: inUnit(charter, size),
        provenance: `Lane ${lane}: ${text}`,
      })),
    review_questions: questions(findings),
  };
}

/** @param {readonly Finding[]} findings smallest first */
function summaryOf(findings) {
  const [smallest] = findings;
  const largest = findings.at(-1);
  if (smallest === undefined || largest === undefined) return 'no size.';
  if (findings.length === 1) return `${smallest.size} bytes by ${smallest.text}.`;
  return `${findings.length} sizes, from ${smallest.size} (${smallest.text}) to ${largest.size} bytes (${largest.text}).`;
}

/**
 * A sentence on each recipe that several lanes measured and whose sizes are as asked.
 * @param {readonly Finding[]} findings
 * @param {(sizes: ReadonlySet<number>) => boolean} asked
 */
function repeated(findings, asked) {
  /** @type {Map<string, Finding[]>} */
  const byRecipe = new Map();
  for (const finding of findings)
    byRecipe.set(finding.text, [...(byRecipe.get(finding.text) ?? []), finding]);
  return [...byRecipe.values()]
    .filter((same) => same.length > 1 && asked(new Set(same.map(({ size }) => size))))
    .map(
      (same) => `${same.map(({ lane, size }) => `lane ${lane} ${size} bytes`).join(', ')}: ${same[0].text}`,
    );
}

/**
 * @param {string | null} lane
 * @param {string} item
 * @param {readonly import('../evidence.mjs').Measurement[]} measurements
 * @param {readonly Finding[]} findings
 */
function missing(lane, item, measurements, findings) {
  if (measurements.length === 0) return [`Lane ${lane} brought no measurement.`];
  const readable = new Set(findings.filter((finding) => finding.item === item).map(({ ref }) => ref));
  return measurements
    .filter(({ ref }) => !readable.has(ref))
    .map(({ ref }) => `${ref} names no recipe that can be made again, or no size.`);
}

/** @param {readonly Finding[]} findings smallest first */
function questions(findings) {
  const suspicious = findings.filter(({ size }, at) => size < SUSPICIOUS * (findings[at + 1]?.size ?? size));
  return [
    'Does each recipe, made again, give the size that is claimed for it?',
    ...suspicious.map(
      ({ size, lane, text }) =>
        `Does decoding give back every byte? Lane ${lane} stands far below the next size with ${size} bytes: ${text}`,
    ),
  ];
}
