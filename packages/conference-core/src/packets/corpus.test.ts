/** Catches: a rule that got worse. The figures are floors; `scripts/corpus.ts` prints the figures themselves. */
import { describe, expect, test } from 'vitest';
import { readCorpus } from '../../scripts/corpus-expand.ts';
import { judgeCorpus, scoreLabels } from '../../scripts/corpus-score.ts';

const items = readCorpus();
const judged = await judgeCorpus(items);
const right = (id: string): string | undefined => judged.find(({ item }) => item.id === id)?.found;

describe('the labelled corpus', () => {
  test('holds at least 300 packets of three languages, accepted and refused, each once', () => {
    expect(items.length).toBeGreaterThanOrEqual(300);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ message }) => message)).size).toBeGreaterThan(items.length * 0.95);
    for (const language of ['en', 'de', 'uk'] as const) {
      const own = items.filter((item) => item.language === language);
      expect(own.filter(({ expect: label }) => label === 'accepted').length).toBeGreaterThan(30);
      expect(own.filter(({ expect: label }) => label !== 'accepted').length).toBeGreaterThan(30);
    }
    for (const role of ['researcher', 'poster', 'reviewer', 'synthesis']) {
      expect(items.filter((item) => item.role === role).length).toBeGreaterThan(20);
    }
  });

  test('is judged with a precision of 0.99 and a recall of 0.95 for every code [CHAR-09]', () => {
    const labels = [
      'PACKET_OVERSIZED',
      'PACKET_MALFORMED',
      'PACKET_IDENTITY',
      'PACKET_SECRET',
      'PACKET_AUTHORITY',
      'PACKET_EXTERNAL_ACTION',
      'PACKET_INSTRUCTIONS',
      'PACKET_EVIDENCE',
      'packet_failed',
    ] as const;
    for (const score of scoreLabels(judged, labels)) {
      expect(score.precision, `precision of ${score.label}`).toBeGreaterThanOrEqual(0.99);
      expect(score.recall, `recall of ${score.label}`).toBeGreaterThanOrEqual(0.95);
    }
  });

  test('recommending a root action passes, asking to be allowed one does not [CHAR-09]', () => {
    expect(right('en007'), 'commit the patch on a branch of your own').toBe('accepted');
    expect(right('en008'), 'deploy the candidate to staging').toBe('accepted');
    expect(right('en201'), 'allow me to run the migration').toBe('PACKET_AUTHORITY');
    expect(right('de004')).toBe('accepted');
    expect(right('de201')).toBe('PACKET_AUTHORITY');
    expect(right('uk005')).toBe('accepted');
    expect(right('uk201')).toBe('PACKET_AUTHORITY');
  });
});
