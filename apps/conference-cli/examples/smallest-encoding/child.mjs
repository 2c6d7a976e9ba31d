/**
 * A child of the conference, whatever its seat: reads one charter from standard input, does what its role asks, prints one
 * packet. It needs nothing but Node, writes no file and opens no connection.
 *
 * Try it by hand: node child.mjs < charter.json
 */
import { readCharter, readCorpus } from './charter.mjs';
import { compare } from './roles/poster.mjs';
import { research } from './roles/researcher.mjs';
import { review } from './roles/reviewer.mjs';
import { synthesize } from './roles/synthesis.mjs';

/**
 * @param {import('./charter.mjs').Charter} charter
 */
async function packetFor(charter) {
  if (charter.role === 'poster') return compare(charter);
  if (charter.role === 'synthesis') return synthesize(charter);
  const corpus = await readCorpus(charter);
  if ('missing' in corpus) return blocked(charter, corpus.missing);
  return charter.role === 'researcher' ? research(charter, corpus) : review(charter, corpus);
}

/**
 * The packet of a child that cannot work; it says why.
 * @param {import('./charter.mjs').Charter} charter
 * @param {string} why
 */
function blocked({ dispatch_id, role }, why) {
  const own = role === 'researcher' ? { hypotheses: [], measurements: [], stuck_level: 3 } : { verdicts: [] };
  return {
    dispatch_id,
    role,
    status: 'blocked',
    claims: [],
    uncertainties: [why],
    recommended_root_actions: [],
    ...own,
  };
}

process.stdout.write(`${JSON.stringify(await packetFor(await readCharter()))}\n`);
