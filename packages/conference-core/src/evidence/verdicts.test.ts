/**
 * Catches: a verdict that counts for a claim it was not about, and a claim that validates itself.
 */
import { describe, expect, test } from 'vitest';
import type { ReviewerPacket } from '@x/protocol';
import { claimRef, foldSpace, indexRefs, measurementRef, resolveRef, type ShownPacket } from './claim-ref.ts';
import { sortFindings } from './established.ts';
import { linkVerdicts } from './verdicts.ts';

const A = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';
const B = '01J9ZQ4V7N3K8M2R5T6W8X9Y0B';
const DIGEST = `sha256:${'1'.repeat(64)}`;

const claim = (text: string, evidence = 'Three runs.') => ({
  claim: text,
  evidence,
  confidence: 'high' as const,
});
const packets: readonly ShownPacket[] = [
  {
    dispatch_id: A,
    packet: {
      status: 'completed',
      claims: [claim('Level 9 is smallest.'), claim('The window  matters.\n', 'See [E1].')],
      measurements: [{ name: 'size', value: '12 kB', provenance: 'mean of 3 runs' }],
    },
  },
  {
    dispatch_id: B,
    packet: { status: 'completed', claims: [claim('Level 9 is smallest.'), claim('Blocks matter.')] },
  },
  {
    dispatch_id: '01J9ZQ4V7N3K8M2R5T6W8X9Y0C',
    packet: { status: 'blocked', claims: [claim('Blocks matter.')] },
  },
];
const index = indexRefs(packets);

type Verdicts = ReviewerPacket['verdicts'];
function verdict(changes: Partial<Verdicts[number]>): Verdicts[number] {
  return {
    claim: 'x',
    verdict: 'validated',
    reason: 'Repeated.',
    evidence: 'Five runs of my own.',
    confidence: 'high',
    ...changes,
  };
}
const link = (verdicts: Verdicts) =>
  linkVerdicts(verdicts, index, (id) => (id === A ? ['E1', DIGEST] : ['E2']));

describe('references', () => {
  test('claims and measurements are numbered from 1 in the order of their packet [CHAR-04]', () => {
    expect([...index.byRef.keys()]).toEqual([`${A}#c1`, `${A}#c2`, `${A}#m1`, `${B}#c1`, `${B}#c2`]);
    expect(claimRef(A, 1)).toBe(`${A}#c1`);
    expect(measurementRef(A, 12)).toBe(`${A}#m12`);
  });

  test('a claim_ref decides alone, whatever the text says [CHAR-04]', () => {
    expect(resolveRef({ claim: 'Level 9 is smallest.', claim_ref: `${B}#c2` }, index)?.ref).toBe(`${B}#c2`);
    expect(resolveRef({ claim: 'Blocks matter.', claim_ref: `${B}#c3` }, index)).toBeNull();
    expect(resolveRef({ claim: 'Blocks matter.', claim_ref: `${A}#m1` }, index)?.ref).toBe(`${A}#m1`);
  });

  test('without one the text must be the claim after white-space folding, and one claim only [CHAR-04]', () => {
    expect(resolveRef({ claim: '  The window matters. ' }, index)?.ref).toBe(`${A}#c2`);
    expect(resolveRef({ claim: 'The\u00a0window\tmatters.', claim_ref: '' }, index)?.ref).toBe(`${A}#c2`);
    expect(resolveRef({ claim: 'the window matters.' }, index)).toBeNull();
    expect(resolveRef({ claim: 'Level 9 is smallest.' }, index), 'two lanes say it').toBeNull();
    expect(resolveRef({ claim: '12 kB' }, index), 'measurements match by ref only').toBeNull();
    // A blocked packet brings no evidence, so its claim does not make this text ambiguous either.
    expect(resolveRef({ claim: 'Blocks matter.' }, index)?.ref).toBe(`${B}#c2`);
  });

  test('folding changes white space and nothing else', () => {
    expect(foldSpace(' a \n\t b\u2003c ')).toBe('a b c');
    expect(foldSpace('Größe, GRÖSSE')).toBe('Größe, GRÖSSE');
  });
});

describe('verdicts', () => {
  test('of several on one ref the worst counts, in any order [CHAR-04]', () => {
    for (const order of [
      ['validated', 'overturned', 'challenged'],
      ['overturned', 'challenged', 'validated'],
      ['challenged', 'validated', 'overturned'],
    ] as const) {
      const verdicts = order.map((word) => verdict({ claim_ref: `${A}#c1`, verdict: word }));
      expect(link(verdicts)).toEqual({ verdicts: [{ ref: `${A}#c1`, verdict: 'overturned' }], remarks: 0 });
    }
    const two = [verdict({ claim_ref: `${A}#m1` }), verdict({ claim_ref: `${A}#m1`, verdict: 'challenged' })];
    expect(link(two).verdicts).toEqual([{ ref: `${A}#m1`, verdict: 'challenged' }]);
  });

  test('what names nothing, or several claims, is a remark and validates nothing [CHAR-04]', () => {
    const verdicts = [
      verdict({ claim: 'Level 9 is smallest.' }),
      verdict({ claim: 'Nobody said this.' }),
      verdict({ claim_ref: `${A}#c9` }),
      verdict({ claim_ref: `${A}#c2` }),
    ];
    expect(link(verdicts)).toEqual({ verdicts: [{ ref: `${A}#c2`, verdict: 'validated' }], remarks: 3 });
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ["the claim's own words", 'Level 9  is smallest.'],
    ["the claim's own evidence", 'Three\nruns.'],
    ['the reviewed packet by ref', `${A}#c1`],
    ['the reviewed packet by id and mark', `See ${A} and [E1].`],
    ['the reviewed packet by digest', `evidence: ${DIGEST}`],
    ['the reviewed packet in German', `siehe [E1], ${A}#c1`],
  ])('validating with %s is a downgrade to challenged [PACK-11]', (_what, evidence) => {
    expect(link([verdict({ claim_ref: `${A}#c1`, evidence })]).verdicts).toEqual([
      { ref: `${A}#c1`, verdict: 'challenged', downgraded: true },
    ]);
  });

  test.each([
    ['work of its own', 'Five runs of my own.'],
    ['work beside a reference', `${A}#c1 repeated with seed 7`],
    ['another packet', `${B}#c1`],
    ['another mark', '[E2]'],
    ['a number', `[E1]: 12.5`],
  ])('validating with %s stands [PACK-11]', (_what, evidence) => {
    expect(link([verdict({ claim_ref: `${A}#c1`, evidence })]).verdicts).toEqual([
      { ref: `${A}#c1`, verdict: 'validated' },
    ]);
  });

  test('a measurement is not validated by its own value or provenance [PACK-11]', () => {
    for (const evidence of ['mean of 3  runs', '12 kB', 'size: 12 kB', 'size = 12 kB']) {
      expect(link([verdict({ claim_ref: `${A}#m1`, evidence })]).verdicts[0]?.verdict).toBe('challenged');
    }
    expect(
      link([verdict({ claim_ref: `${A}#m1`, evidence: '12.1 kB in my run' })]).verdicts[0]?.verdict,
    ).toBe('validated');
  });

  test('only validations are downgraded, and a real challenge outranks a downgrade', () => {
    const empty = { claim_ref: `${A}#c1`, evidence: '' };
    expect(link([verdict({ ...empty, verdict: 'overturned' })]).verdicts[0]).toEqual({
      ref: `${A}#c1`,
      verdict: 'overturned',
    });
    const real = verdict({ claim_ref: `${A}#c1`, verdict: 'challenged' });
    for (const verdicts of [
      [verdict(empty), real],
      [real, verdict(empty)],
    ]) {
      expect(link(verdicts).verdicts).toEqual([{ ref: `${A}#c1`, verdict: 'challenged' }]);
    }
  });
});

test('an established finding moves to promising unless all of its refs are validated [PACK-13]', () => {
  const finding = (name: string, ...refs: string[]) => ({ finding: name, claim_refs: refs });
  const sorted = sortFindings(
    {
      established: [
        finding('all', `${A}#c1`, `${A}#m1`),
        finding('one not', `${A}#c1`, `${B}#c1`),
        finding('none'),
        finding('unknown', 'somewhere'),
      ],
      promising: [finding('own', `${B}#c1`)],
    },
    (ref) => ref.startsWith(A),
  );
  expect(sorted.established.map((entry) => entry.finding)).toEqual(['all']);
  expect(sorted.promising.map((entry) => entry.finding)).toEqual(['own', 'one not', 'none', 'unknown']);
  expect(sorted.moved.map((entry) => entry.finding)).toEqual(['one not', 'none', 'unknown']);
});
