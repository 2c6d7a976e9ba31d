/**
 * The findings of a report: what was validated, what was overturned, what did not work, what is recommended.
 *
 * Every accepted research packet of a counted round is read once, and of it only bounded lists are kept.
 */
import type { ResearchPacket, Verdict } from '@x/protocol';
import type { Reading } from '../charters/content.ts';
import { isBetter, readMeasurement } from '../convergence/measurement.ts';
import { metricOf } from '../convergence-input.ts';
import type { DispatchRow } from '../dispatch-row.ts';
import { decimalOf } from '../plan/quantity.ts';
import { rowOf } from '../round.ts';
import type { State } from '../state.ts';
import { inline } from './inert-text.ts';
import { bullets, counted, section, seatName, table } from './markdown.ts';
import { PEER_REVIEW_FILES, RESULTS_TSV } from './paths.ts';
import { REF_LEGEND, refLink, type RefTable } from './ref-table.ts';
import {
  acceptedResearch,
  countedRounds,
  posterPacketOf,
  researchPacketOf,
  reviewerPacketOf,
} from './stored-packet.ts';
import { findings, movedSentence, texts, type ReadSynthesis } from './synthesis.ts';
