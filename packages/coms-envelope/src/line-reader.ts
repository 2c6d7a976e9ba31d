/**
 * Cuts a stream of bytes into lines, whatever the cuts between its chunks.
 *
 * Boundary: bytes in, text out; what a line means is read elsewhere (`envelope-reader.ts`).
 *
 * F1 Only a line feed ends a line. U+2028, U+2029 and a lone carriage return are content.
 * F2 A line is decoded whole and strictly: no cut makes a U+FFFD, and bytes that are not UTF-8 are a fault.
 * F3 At most `lineUnitsMax` code units (and their bytes) are held; the first line beyond ends the reading.
 */
import { bytesPerUnitMax, defaultLimits } from './limits.ts';

/** A line, or why there is none. After `LINE_TOO_LARGE` a reader yields nothing more. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'fault'; readonly code: 'LINE_TOO_LARGE' | 'NOT_UTF8' };

/** Reads one connection; made anew for each. */
export interface LineReader {
  /** Takes the next bytes, which may be reused by the caller afterwards, and gives the lines they complete. */
  push(bytes: Uint8Array): Line[];
  /** Ends the stream: a last line without its line feed counts as a line. */
  end(): Line[];
  /** Bytes held for an incomplete line. */
  readonly heldBytes: number;
}

const lineFeed = 0x0a;
const firstHeldBytes = 1_024;
const nothing = new Uint8Array(0);

/** Code units that these bytes are once decoded: one a lead byte, two a lead byte of four. */
function unitsOf(bytes: Uint8Array): number {
  let units = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** Shared by all readers: it decodes whole lines, so it holds nothing between two calls. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): Line {
  try {
    return { kind: 'line', text: decoder.decode(bytes) };
  } catch {
    return { kind: 'fault', code: 'NOT_UTF8' };
  }
}

class BoundedLineReader implements LineReader {
  readonly #unitsMax: number;
  #held = nothing;
  #heldBytes = 0;
  #heldUnits = 0;
  #ended = false;

  constructor(unitsMax: number) {
    this.#unitsMax = unitsMax;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  push(bytes: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    while (!this.#ended && from < bytes.length) {
      const feed = bytes.indexOf(lineFeed, from);
      const part = bytes.subarray(from, feed === -1 ? bytes.length : feed);
      if (feed === -1) this.#hold(part, lines);
      else this.#complete(part, lines);
      from += part.length + 1;
    }
    return lines;
  }

  end(): Line[] {
    const lines: Line[] = [];
    if (!this.#ended && this.#heldBytes > 0) this.#complete(nothing, lines);
    this.#ended = true;
    return lines;
  }

  #tooLarge(lines: Line[]): void {
    this.#drop();
    this.#ended = true;
    lines.push({ kind: 'fault', code: 'LINE_TOO_LARGE' });
  }

  #drop(): void {
    this.#held = nothing;
    this.#heldBytes = 0;
    this.#heldUnits = 0;
  }

  /** Counts only where the number of bytes leaves a doubt: a line of few bytes cannot have many units. */
  #fits(part: Uint8Array): boolean {
    const bytes = this.#heldBytes + part.length;
    if (bytes > this.#unitsMax * bytesPerUnitMax) return false;
    this.#heldUnits += unitsOf(part);
    return this.#heldUnits <= this.#unitsMax;
  }

  #hold(part: Uint8Array, lines: Line[]): void {
    if (!this.#fits(part)) return this.#tooLarge(lines);
    const bytes = this.#heldBytes + part.length;
    if (bytes > this.#held.length) {
      const grown = new Uint8Array(Math.max(bytes, this.#held.length * 2, firstHeldBytes));
      grown.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = grown;
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #complete(part: Uint8Array, lines: Line[]): void {
    if (this.#heldBytes === 0) {
      if (part.length > this.#unitsMax && !this.#fits(part)) return this.#tooLarge(lines);
      this.#heldUnits = 0;
      lines.push(decode(part));
      return;
    }
    if (part.length > 0) this.#hold(part, lines);
    if (this.#ended) return;
    const whole = this.#held.subarray(0, this.#heldBytes);
    lines.push(decode(whole));
    this.#drop();
  }
}

/**
 * @param unitsMax Longest line in UTF-16 code units without its line feed; 65,536 by default (04 Wire).
 */
export function createLineReader(unitsMax: number = defaultLimits.lineUnitsMax): LineReader {
  return new BoundedLineReader(unitsMax);
}
