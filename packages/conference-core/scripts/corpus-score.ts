/** Precision and recall of admission on the labelled corpus, per code. */
import { LIMIT_DEFAULTS, type FailureCode } from '@x/protocol';
import { admitPacket } from '../src/packets/index.ts';
import { charterFor, corpusLinks, corpusScanner, type CorpusItem, type Label } from './corpus-expand.ts';

export interface Judgement {
  readonly item: CorpusItem;
  readonly found: Label;
  readonly reason: string;
}

export interface Score {
  readonly label: Label;
  /** Items that bear the label. */
  readonly labelled: number;
  /** Items that were judged so. */
  readonly judged: number;
  readonly right: number;
  /** Of those judged so, how many bear the label; null when none was. */
  readonly precision: number | null;
  /** Of those that bear the label, how many were judged so; null when none does. */
  readonly recall: number | null;
}

export async function judgeCorpus(items: readonly CorpusItem[]): Promise<Judgement[]> {
  const encoder = new TextEncoder();
  const judged: Judgement[] = [];
  for (const item of items) {
    const admission = await admitPacket(
      encoder.encode(item.message),
      charterFor(item.role),
      LIMIT_DEFAULTS,
      corpusLinks,
      corpusScanner,
    );
    const found: 'accepted' | FailureCode = admission.ok ? 'accepted' : admission.code;
    judged.push({ item, found, reason: admission.ok ? '' : admission.reason });
  }
  return judged;
}

/** One row for each label that occurs, in the order given. */
export function scoreLabels(judged: readonly Judgement[], labels: readonly Label[]): Score[] {
  return labels.map((label) => {
    const labelled = judged.filter(({ item }) => item.expect === label).length;
    const found = judged.filter((judgement) => judgement.found === label).length;
    const right = judged.filter(
      (judgement) => judgement.found === label && judgement.item.expect === label,
    ).length;
    return {
      label,
      labelled,
      judged: found,
      right,
      precision: found === 0 ? null : right / found,
      recall: labelled === 0 ? null : right / labelled,
    };
  });
}
