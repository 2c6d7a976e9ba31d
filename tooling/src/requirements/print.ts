/**
 * Says a judgement in words: the table a person reads, and the JSON a program reads.
 *
 * Boundary: pure; the caller prints. Every line of the text is whole without colour.
 */
import { textTable } from '../text-table.ts';
import type { JudgedRequirement, Judgement, Status } from './judge.ts';

const statuses: readonly Status[] = ['covered', 'open', 'excepted', 'claimed falsely'];

/** Requirement texts are cut here in tables, so that a row stays a row. */
const textWidthMax = 90;

/** One row an area and a sum; unknown ids below it where there are some. */
export const areaTable = ({ rows, unknown }: Judgement): string => {
  const areas = [...new Set(rows.map(({ area }) => area))].sort();
  const line = (name: string, of: readonly JudgedRequirement[]): readonly string[] => [
    name,
    ...statuses.map((status) => String(countOf(of, status))),
    String(of.length),
  ];
  const table = textTable(
    [
      ['area', ...statuses, 'all'],
      ...areas.map((area) =>
        line(
          area,
          rows.filter((row) => row.area === area),
        ),
      ),
      line('sum', rows),
    ],
    ['left', 'right', 'right', 'right', 'right', 'right'],
  );
  const unknownIds = [...new Set(unknown.map(({ id }) => id))];
  return unknownIds.length === 0 ? table : `${table}\nunknown ids that tests cite: ${unknownIds.join(', ')}`;
};

/** One row a requirement. */
export const idTable = (rows: readonly JudgedRequirement[]): string =>
  textTable(
    [
      ['id', 'area', 'status', 'tests', 'requirement'],
      ...rows.map(({ id, area, status, citedBy, text, reason }) => [
        id,
        area,
        status,
        String(citedBy.length),
        shortened(reason === undefined ? text : `excepted: ${reason}`),
      ]),
    ],
    ['left', 'left', 'left', 'right', 'left'],
  );

/** Shape of `--json`; field names are stable. */
export const judgementJson = (judgement: Judgement, from: string): string =>
  JSON.stringify(
    {
      from,
      counts: Object.fromEntries(
        statuses.map((status) => [status.replace(' ', '_'), countOf(judgement.rows, status)]),
      ),
      requirements: judgement.rows.map(({ id, area, status, citedBy, reason }) => ({
        id,
        area,
        status: status.replace(' ', '_'),
        cited_by: citedBy.map(({ title, file, counts }) => ({ title, file, passed: counts })),
        ...(reason === undefined ? {} : { exception: reason }),
      })),
      unknown: judgement.unknown.map(({ id, title, file }) => ({ id, title, file })),
      violations: judgement.violations,
    },
    null,
    2,
  );

const countOf = (rows: readonly JudgedRequirement[], status: Status): number =>
  rows.filter((row) => row.status === status).length;

const shortened = (text: string): string =>
  text.length <= textWidthMax ? text : `${text.slice(0, textWidthMax - 1).trimEnd()}…`;
