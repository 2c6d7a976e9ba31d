/** Gathers the faults of one text, so that one run tells them all, in the order of the file. */
import type { LineCounter, Node } from 'yaml';
import type { Fault, FaultCode } from './fault.ts';

export interface FaultLog {
  /** Notes a fault at a node, or at an offset in UTF-16 code units. */
  report(at: Node | number, code: FaultCode, message: string): void;
  /** The line (from 1) on which a node starts. */
  lineOf(node: Node): number;
  inFileOrder(): readonly Fault[];
}

export function openFaultLog(lineCounter: LineCounter): FaultLog {
  const faults: Fault[] = [];
  const brokenLines = new Set<number>();
  const placeOf = (at: Node | number): { line: number; column: number } => {
    const { line, col } = lineCounter.linePos(typeof at === 'number' ? at : (at.range?.[0] ?? 0));
    // An empty text has no line at all, and the counter says 0.
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return {
    report(at, code, message) {
      const place = placeOf(at);
      if (code === 'YAML_SYNTAX') brokenLines.add(place.line);
      // What a broken line seems to hold follows from its syntax fault; it is no second fault.
      else if (brokenLines.has(place.line)) return;
      faults.push({ code, ...place, message });
    },
    lineOf: (node) => placeOf(node).line,
    inFileOrder: () => faults.toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}
