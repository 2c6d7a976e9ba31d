// Catches a table that is read by halves: a row dropped in silence is a requirement that nobody has to meet.
import { expect, test } from 'vitest';
import { parseExceptions, parseRequirements } from './table.ts';

const heading = 'id\tsource\tarea\trequirement\n';

test('each row becomes a requirement, in the order of the file', () => {
  const { rows, faults } = parseRequirements(
    `${heading}LEDG-01\t03\tledger\tOne.\r\n\nCLI-02\t07\tcli\tTwo.\n`,
  );
  expect(faults).toEqual([]);
  expect(rows).toEqual([
    { id: 'LEDG-01', source: '03', area: 'ledger', text: 'One.' },
    { id: 'CLI-02', source: '07', area: 'cli', text: 'Two.' },
  ]);
});

test.each([
  ['a missing column', 'LEDG-01\t03\tledger\n', 'requirements.tsv line 2 has 3 columns; 4 are expected'],
  [
    'an id in small letters',
    'ledg-01\t03\tledger\tx\n',
    "requirements.tsv line 2: 'ledg-01' is no requirement id",
  ],
  ['an id that stands twice', 'A1-1\t\t\t\n', "requirements.tsv line 2: 'A1-1' is no requirement id"],
  ['the same id again', 'AB-1\t0\ta\tx\nAB-1\t0\ta\ty\n', 'requirements.tsv line 3: AB-1 stands there twice'],
  ['no text', 'AB-1\t0\ta\t\n', 'requirements.tsv line 2: AB-1 has no area or no text'],
  ['an empty table', '', 'requirements.tsv holds no requirement'],
])('%s is a fault that names its line, never a row that is passed over', (_, lines, fault) => {
  const { faults } = parseRequirements(heading + lines);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
});

test('an exception without a reason is a fault and excepts nothing', () => {
  const { rows, faults } = parseExceptions('id\treason\nLEDG-01\t  \nLEDG-02\tno such machine\nLEDG-03\n');
  expect(rows).toEqual([{ id: 'LEDG-02', reason: 'no such machine' }]);
  expect(faults).toEqual([
    'requirement-exceptions.tsv line 2: LEDG-01 is excepted without a reason',
    'requirement-exceptions.tsv line 4: LEDG-03 is excepted without a reason',
  ]);
});

test('the same exception twice is a fault', () => {
  expect(parseExceptions('id\treason\nLEDG-01\ta\nLEDG-01\tb\n').faults).toEqual([
    'requirement-exceptions.tsv line 3: LEDG-01 stands there twice',
  ]);
});
