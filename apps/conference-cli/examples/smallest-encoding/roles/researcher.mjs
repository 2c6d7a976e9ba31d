/**
 * A researcher of any lane: takes the lane's first new proposals, measures each, and claims what it measured. Where the lane
 * has nothing new, it measures its best again as a control, and says that it is stuck.
 */
import { inUnit } from '../charter.mjs';
import { claimText } from '../claim-text.mjs';
import { measureAll } from '../encoding/measure.mjs';
import { writeRecipe } from '../encoding/recipe.mjs';
import { findingsOf, shownPackets } from '../evidence.mjs';
import { brotliLane } from '../lanes/brotli.mjs';
import { contrarianLane } from '../lanes/contrarian.mjs';
import { deflateLane } from '../lanes/deflate.mjs';
import { newOnes } from '../lanes/proposal.mjs';

/**
 * @typedef {import('../charter.mjs').Charter} Charter
 * @typedef {import('../charter.mjs').Corpus} Corpus
 * @typedef {import('../evidence.mjs').Finding} Finding
 * @typedef {import('../lanes/proposal.mjs').Proposal} Proposal
 * @typedef {{ proposal: Proposal, text: string, size: number }} Kept
 */

/** @param {Charter} charter */
function laneOf({ lane, contrarian }) {
  if (contrarian) return contrarianLane;
  return lane === 'A' ? brotliLane : deflateLane;
}

/**
 * @param {Charter} charter
 * @param {Corpus} corpus
 */
export async function research(charter, corpus) {
  const findings = findingsOf(shownPackets(charter));
  const own = findings.filter(({ lane }) => lane === charter.lane);
  const proposals = laneOf(charter)(findings, charter.round);
  const fresh = newOnes(proposals, findings, charter.iteration_allowance ?? 1);
  const control = own.slice(0, 1).map((from) => ({ recipe: from.recipe, from }));
  const tried = fresh.length > 0 ? fresh : control;

  const { kept, failed } = await measured(tried, corpus.bytes);
  return {
    dispatch_id: charter.dispatch_id,
    role: charter.role,
    status: 'completed',
    claims: kept.map((each) => ({
      claim: claimText(corpus, each.size, each.text),
      evidence: evidenceOf(each, corpus),
      confidence: each.proposal.uncompared ? 'medium' : 'high',
    })),
    uncertainties: [
      'Sizes hold for this file and for this build of the coders.',
      ...(fresh.length > 0 ? [] : ['Nothing new follows from the validated findings; this is a control.']),
      ...failed,
    ],
    recommended_root_actions: [],
    hypotheses: kept.map((each) => hypothesisOf(each, kept)),
    measurements: kept.map(({ text, size }) => ({
      name: charter.success_definition.metric?.name ?? 'encoded_bytes',
      value: inUnit(charter, size),
      provenance: text,
    })),
    stuck_level: fresh.length > 0 ? stuckLevel(kept, own, charter.round) : 3,
  };
}

/**
 * @param {readonly Proposal[]} proposals
 * @param {Uint8Array} bytes
 * @returns {Promise<{ kept: Kept[], failed: string[] }>} what decoding gave back whole, and a sentence on each other one
 */
async function measured(proposals, bytes) {
  const results = await measureAll(
    bytes,
    proposals.map(({ recipe }) => recipe),
  );
  /** @type {Kept[]} */
  const kept = [];
  const failed = [];
  for (const [at, { size, fault }] of results.entries()) {
    const proposal = proposals[at];
    const text = writeRecipe(proposal.recipe);
    if (fault === null || proposal.uncompared) kept.push({ proposal, text, size });
    else failed.push(`Left out, since ${fault}: ${text}`);
  }
  return { kept, failed };
}

/**
 * @param {Kept} kept
 * @param {Corpus} corpus
 */
function evidenceOf({ proposal: { from, uncompared }, size }, { bytes }) {
  if (uncompared) return 'Alphabetical order puts like words side by side, which every coder rewards.';
  const back = `Decoding gave back all ${bytes.length} bytes.`;
  if (from === null) return back;
  const difference = size - from.size;
  const compared =
    difference === 0
      ? 'as many bytes as'
      : `${Math.abs(difference)} bytes ${difference < 0 ? 'fewer' : 'more'} than`;
  return `${back} It takes ${compared} ${from.text} [${from.item}].`;
}

/**
 * What the measurement was to find out, and its answer.
 * @param {Kept} each
 * @param {readonly Kept[]} kept
 */
function hypothesisOf({ proposal: { from }, text, size }, kept) {
  const bar = from === null ? Math.min(...kept.map((other) => other.size)) + 1 : from.size;
  const rival = from === null ? 'everything else in this survey' : from.text;
  return {
    statement: `${text} is smaller than ${rival}`,
    verdict: size < bar ? 'supported' : 'falsified',
    evidence: from === null ? `${size} bytes.` : `${size} bytes against ${from.size} [${from.item}].`,
  };
}

/**
 * 0 where the lane beat its own best, 1 where it did not, 2 where it did not in the round before either.
 * @param {readonly Kept[]} kept
 * @param {readonly Finding[]} own validated findings of this lane
 * @param {number} round
 */
function stuckLevel(kept, own, round) {
  const best = (/** @type {readonly { size: number }[]} */ sizes) =>
    Math.min(...sizes.map(({ size }) => size));
  const earlier = own.filter((finding) => finding.round < round - 1);
  const before = own.filter((finding) => finding.round === round - 1);
  if (best(kept) < best(own)) return 0;
  return best(before) < best(earlier) ? 1 : 2;
}
