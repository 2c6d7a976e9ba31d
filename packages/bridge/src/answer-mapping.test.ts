import { expect, test } from 'vitest';
import { mapAnswerToAskResponse } from './answer-mapping.ts';
import vectors from './vectors/answer-mapping.json' with { type: 'json' };

const yesNo = [{ title: 'Yes' }, { title: 'No', description: 'later' }, { title: '3 days' }];

test('every vector of the answer mapping gives its response [BRID-17 BRID-18 BRID-19]', () => {
  expect(vectors.length).toBeGreaterThan(20);
  for (const { answer, options, out } of vectors) {
    const given = options.map(({ title }) => ({ title }));
    expect(mapAnswerToAskResponse(answer, given), JSON.stringify(answer)).toEqual(out);
  }
});

test('the number of an option picks it, padded or not, and no other number picks anything [BRID-17 BRID-19]', () => {
  const picked = (answer: string) => mapAnswerToAskResponse(answer, yesNo);
  expect(picked('\t02\r\n')).toEqual({ kind: 'selection', selections: ['No'] });
  for (const answer of ['-1', '+1', '1.0', '1e0', '0x1', '٢', '99999999999999999999999', '1 2'])
    expect(picked(answer), answer).toEqual({ kind: 'freeform', text: answer });
});

test('a number is the number of an option before it is a title [BRID-17]', () => {
  const numbers = [{ title: '2' }, { title: '1' }, { title: '2026' }];
  expect(mapAnswerToAskResponse('1', numbers)).toEqual({ kind: 'selection', selections: ['2'] });
  expect(mapAnswerToAskResponse('2026', numbers)).toEqual({ kind: 'selection', selections: ['2026'] });
});

test('a title counts in any letter case and either way to write an accent, and comes back as spelled [BRID-18]', () => {
  const options = [{ title: 'Café' }, { title: ' Да ' }];
  expect(mapAnswerToAskResponse('cafe\u0301'.toUpperCase(), options)).toEqual({
    kind: 'selection',
    selections: ['Café'],
  });
  expect(mapAnswerToAskResponse('да', options)).toEqual({ kind: 'selection', selections: [' Да '] });
});

test('a sentence typed where options were shown is a freeform answer, trimmed only at its ends [BRID-19]', () => {
  expect(mapAnswerToAskResponse('  neither, wait\n until Monday ', yesNo)).toEqual({
    kind: 'freeform',
    text: 'neither, wait\n until Monday',
  });
});
