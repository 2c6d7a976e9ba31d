/**
 * The tab-separated files of the requirement gate: the requirements, and the exceptions to them.
 *
 * Boundary: text in, rows and faults out. A fault is a line of the file that nobody could act on.
 */

export type Requirement = {
  readonly id: string;
  readonly source: string;
  readonly area: string;
  readonly text: string;
};

/** A requirement that need not be covered, and why. */
export type RequirementException = { readonly id: string; readonly reason: string };

export type Parsed<Row> = { readonly rows: readonly Row[]; readonly faults: readonly string[] };

const idPattern = /^[A-Z]{2,8}-\d{1,4}$/;

/** Reads `id, source, area, requirement` with its heading line. */
export const parseRequirements = (text: string): Parsed<Requirement> => {
  const rows: Requirement[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { fields, number } of linesAfterHeading(text)) {
    const [id = '', source = '', area = '', requirement = ''] = fields;
    const where = `requirements.tsv line ${number}`;
    if (fields.length !== 4) faults.push(`${where} has ${fields.length} columns; 4 are expected`);
    else if (!idPattern.test(id))
      faults.push(`${where}: '${id}' is no requirement id (expected like LEDG-06)`);
    else if (seen.has(id)) faults.push(`${where}: ${id} stands there twice`);
    else if (area === '' || requirement === '') faults.push(`${where}: ${id} has no area or no text`);
    else {
      seen.add(id);
      rows.push({ id, source, area, text: requirement });
    }
  }
  if (rows.length === 0 && faults.length === 0) faults.push('requirements.tsv holds no requirement');
  return { rows, faults };
};

/** Reads `id, reason` with its heading line. An exception without a reason is a fault. */
export const parseExceptions = (text: string): Parsed<RequirementException> => {
  const rows: RequirementException[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { fields, number } of linesAfterHeading(text)) {
    const [id = '', reason = ''] = fields;
    const where = `requirement-exceptions.tsv line ${number}`;
    if (!idPattern.test(id)) faults.push(`${where}: '${id}' is no requirement id`);
    else if (fields.length > 2) faults.push(`${where}: ${id} has ${fields.length} columns; 2 are expected`);
    else if (reason.trim() === '') faults.push(`${where}: ${id} is excepted without a reason`);
    else if (seen.has(id)) faults.push(`${where}: ${id} stands there twice`);
    else {
      seen.add(id);
      rows.push({ id, reason: reason.trim() });
    }
  }
  return { rows, faults };
};

const linesAfterHeading = (text: string): readonly { fields: readonly string[]; number: number }[] =>
  text
    .split('\n')
    .map((line, index) => ({ line: line.replace(/\r$/, ''), number: index + 1 }))
    .slice(1)
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => ({ fields: line.split('\t').map((field) => field.trim()), number }));
