/** The report's ledger line: length and head digest before the report's own record, so that a missing tail is noticed (03 Ledger). */

export interface LedgerLine {
  readonly seq: number;
  readonly digest: string;
}

const LINE = /^Ledger: (\d{1,15}) events, head (sha256:[0-9a-f]{64})$/m;

export function ledgerLine({ seq, digest }: LedgerLine): string {
  return `Ledger: ${seq} events, head ${digest}`;
}

/** The first such line of a report, or null. */
export function readLedgerLine(report: string): LedgerLine | null {
  const [, seq, digest] = LINE.exec(report) ?? [];
  return seq === undefined || digest === undefined ? null : { seq: Number(seq), digest };
}
