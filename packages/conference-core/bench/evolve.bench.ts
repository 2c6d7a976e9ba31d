/**
 * Events folded a second, beside the raw limit of any fold of a ledger: parsing the same lines (issue of the aim: folding
 * must not be what a reader waits for). Medians over interleaved passes in one run.
 */
import { type ConferenceEvent } from '@x/protocol';
import { fold, INITIAL_STATE } from '@x/conference-core';
import { recordedConference } from './recorded-conference.ts';

const PASSES = 9;

const events = recordedConference({ lanes: 200, rounds: 10 });
const lines = events.map((event) => JSON.stringify(event));

const evolveMs: number[] = [];
const parseMs: number[] = [];
for (let pass = 0; pass < PASSES; pass += 1) {
  let before = performance.now();
  const parsed: ConferenceEvent[] = lines.map((line): ConferenceEvent => JSON.parse(line));
  parseMs.push(performance.now() - before);
  before = performance.now();
  fold(parsed, INITIAL_STATE);
  evolveMs.push(performance.now() - before);
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const perSecond = Math.round(events.length / (median(evolveMs) / 1_000));
console.log(
  JSON.stringify({
    bench: 'core.evolve',
    ratio: Number((median(parseMs) / median(evolveMs)).toFixed(2)),
    of: 'the rate of JSON.parse over the same lines',
    events: events.length,
    events_per_second: perSecond,
  }),
);
