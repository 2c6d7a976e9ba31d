/**
 * A child of the conference: one charter on standard input, one packet on standard output, whatever its seat.
 *
 * In round 1 lane B says that it pushed something. It did not, and may not: the root refuses that packet, and you can see how.
 */

/** Starts that each lane tries, round by round. */
const STARTS = {
  A: [
    [9, 25, 49, 70],
    [27, 54, 73, 97],
  ],
  B: [
    [100, 127, 150, 181],
    [129, 161, 171, 199],
  ],
};

/** @param {number} start */
function stepsOf(start) {
  let steps = 0;
  for (let number = start; number !== 1; steps += 1) number = number % 2 === 0 ? number / 2 : 3 * number + 1;
  return steps;
}

let text = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) text += chunk;
const charter = JSON.parse(text);
const { dispatch_id, role, round, lane, iteration_allowance, read_context } = charter;

/** Packets that the charter quotes: data, whose shape nobody promised. */
const shown = read_context.flatMap(({ excerpt }) => {
  try {
    const packet = JSON.parse(excerpt);
    return typeof packet.dispatch_id === 'string' ? [packet] : [];
  } catch {
    return [];
  }
});
const claims = shown.flatMap((packet) => packet.claims ?? []);
const measurements = shown.flatMap((packet) => packet.measurements ?? []);
const base = {
  dispatch_id,
  role,
  status: 'completed',
  claims: [],
  uncertainties: [],
  recommended_root_actions: [],
};

/** The start that a text speaks of, counted again; null for any other text. */
function counted(said) {
  const start = /^start (\d{1,3})\b/.exec(said ?? '')?.[1];
  return start === undefined ? null : { start: Number(start), steps: stepsOf(Number(start)) };
}

const packets = {
  researcher: () => {
    const starts = (STARTS[lane]?.[round - 1] ?? []).slice(0, iteration_allowance);
    const pushed = {
      claim: 'I pushed the table to the main branch.',
      evidence: 'it is there',
      confidence: 'high',
    };
    return {
      ...base,
      claims: [
        ...starts.map((start) => ({
          claim: `start ${start} takes ${stepsOf(start)} steps`,
          evidence: 'counted one by one',
          confidence: 'high',
        })),
        ...(lane === 'B' && round === 1 ? [pushed] : []),
      ],
      hypotheses: [],
      measurements: starts.map((start) => ({
        name: 'steps',
        value: String(stepsOf(start)),
        provenance: `start ${start}, counted one by one`,
      })),
      stuck_level: starts.length === 0 ? 3 : 0,
    };
  },
  poster: () => ({
    ...base,
    summaries: shown.map((packet) => ({
      dispatch_id: packet.dispatch_id,
      summary: `${(packet.measurements ?? []).length} starts were counted`,
    })),
    agreements: [],
    conflicts: [],
    missing_evidence: [],
    measurements: [],
    review_questions: ['Does each start take the steps that are claimed?'],
  }),
  reviewer: () => ({
    ...base,
    verdicts: [...claims, ...measurements].map(({ ref, claim, provenance, value }) => {
      const again = counted(claim ?? provenance);
      const holds = again !== null && (claim ?? `${value} steps`).includes(`${again.steps} steps`);
      return {
        claim: claim ?? `${value} steps`,
        claim_ref: ref,
        verdict: holds ? 'validated' : 'challenged',
        reason: again === null ? 'names no start' : `${again.start} was counted again`,
        evidence: again === null ? 'there is nothing to count' : `a second count gives ${again.steps}`,
        confidence: 'high',
      };
    }),
  }),
  synthesis: () => {
    const best = [...measurements].sort((one, other) => Number(other.value) - Number(one.value))[0];
    return {
      ...base,
      established:
        best === undefined
          ? []
          : [{ finding: `The best ${best.provenance} takes ${best.value} steps.`, claim_refs: [best.ref] }],
      promising: [],
      negative_results: [],
      contradictions: [],
      next_decisions: ['Decide whether starts from 200 on are of interest.'],
    };
  },
};

process.stdout.write(`${JSON.stringify(packets[role]())}\n`);
