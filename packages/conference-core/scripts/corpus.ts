/**
 * Prints precision and recall of admission on its labelled corpus, per code (02 Rejection), and every item that was
 * judged otherwise than labelled. The scanner is a stand-in that knows the secrets the corpus plants, so the row of
 * PACKET_SECRET shows the wiring, not a scanner's quality.
 */
import { PACKET_CODES } from '@x/protocol';
import { RULES_VERSION } from '../src/packets/index.ts';
import { readCorpus, type Label } from './corpus-expand.ts';
import { judgeCorpus, scoreLabels, type Judgement } from './corpus-score.ts';

const LABELS: readonly Label[] = [
  'accepted',
  ...PACKET_CODES.filter((code) => code !== 'PACKET_ROUND_CLOSED'),
  'packet_failed',
];
const share = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

function table(title: string, judged: readonly Judgement[]): string {
  const rows = scoreLabels(judged, LABELS).map(
    ({ label, labelled, judged: found, right, precision, recall }) => [
      label,
      String(labelled),
      String(found),
      String(right),
      share(precision),
      share(recall),
    ],
  );
  const all = [['label', 'labelled', 'judged so', 'right', 'precision', 'recall'], ...rows];
  const text = all.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(10))).join(''),
  );
  const right = judged.filter(({ item, found }) => item.expect === found).length;
  return `${title}: ${right} of ${judged.length} as labelled\n${text.join('\n')}\n`;
}

const judged = await judgeCorpus(readCorpus());
const held = judged.filter(({ item }) => item.held);
console.log(`rules ${RULES_VERSION}, ${judged.length} packets in 3 languages\n`);
console.log(table('all', judged));
console.log(table('held out (written after tuning, never tuned on)', held));
for (const { item, found, reason } of judged) {
  if (item.expect !== found)
    console.log(`${item.held ? 'held ' : ''}${item.id}: labelled ${item.expect}, judged ${found} ${reason}`);
}
