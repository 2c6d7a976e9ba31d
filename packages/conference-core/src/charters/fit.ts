/**
 * Fits evidence to its bound (02 Charter): whole entries give way, extras first, then claim evidence, then claim text,
 * each from the weakest item on; ref, name, value and provenance never do. `omitted` says how many gave way.
 */
import { digestOf, digestOfJson, type Digest, type ReadContextItem } from '@x/protocol';
import { excerptOf, type PacketView } from './packet-view.ts';

/** What stands where an excerpt of text was cut. */
export const CUT_MARK = '… [cut]';

/** A piece of prose as evidence. */
export interface TextView {
  readonly digest: Digest;
  readonly source: string;
  text: string;
  omitted: number;
}

export type View =
  /** `rank` 1 gives way last; without ranks the last item shown gives way first. */
  | { readonly kind: 'packet'; readonly view: PacketView; readonly rank?: number }
  | { readonly kind: 'text'; readonly view: TextView };

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** The text cut to so many bytes of UTF-8 at a character boundary, with a visible mark where something is missing. */
export function cutText(text: string, bytesMax: number): string {
  if (utf8Length(text) <= bytesMax) return text;
  const room = Math.max(0, bytesMax - utf8Length(CUT_MARK));
  let bytes = 0;
  let kept = '';
  for (const char of text) {
    bytes += utf8Length(char);
    if (bytes > room) break;
    kept += char;
  }
  return kept + CUT_MARK;
}

/** The items `E1`, `E2`, … of a charter, fitted together into `bytesMax` bytes of excerpts. */
export function fitContext(views: readonly View[], bytesMax: number): ReadContextItem[] {
  const sizes = views.map((view) => utf8Length(rendered(view)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  const weakestFirst = byWeakness(views);
  for (const giveWay of [dropExtra, dropEvidence, dropClaim]) {
    for (const index of weakestFirst) {
      if (total <= bytesMax) break;
      const view = views[index];
      if (view === undefined || view.kind !== 'packet') continue;
      giveWay(view.view);
      const size = utf8Length(rendered(view));
      total += size - (sizes[index] ?? 0);
      sizes[index] = size;
    }
  }
  for (let index = views.length - 1; index >= 0 && total > bytesMax; index -= 1) {
    const view = views[index];
    if (view === undefined || view.kind !== 'text') continue;
    const size = sizes[index] ?? 0;
    view.view.text = cutText(view.view.text, Math.max(0, size - (total - bytesMax)));
    view.view.omitted += 1;
    const now = utf8Length(view.view.text);
    total += now - size;
    sizes[index] = now;
  }
  return views.map((view, index) => ({
    id: `E${index + 1}`,
    digest: view.view.digest,
    source: view.view.source,
    excerpt: rendered(view),
    ...(view.view.omitted === 0 ? {} : { omitted: view.view.omitted }),
  }));
}

/** Places of the packets in the order in which they give way. */
function byWeakness(views: readonly View[]): number[] {
  const places = views.flatMap((view, index) =>
    view.kind === 'packet' ? [{ index, rank: view.rank ?? index }] : [],
  );
  return places.toSorted((left, right) => right.rank - left.rank).map(({ index }) => index);
}

/** Bytes that a packet takes when everything that may give way has. */
export function shortestBytes(view: PacketView): number {
  const claims = view.claims.map((entry) => ({ ...entry, claim: null, evidence: null }));
  return utf8Length(excerptOf({ ...view, claims, extra: null }));
}

function rendered(view: View): string {
  return view.kind === 'packet' ? excerptOf(view.view) : view.view.text;
}

function dropExtra(view: PacketView): void {
  if (view.extra === null) return;
  view.extra = null;
  view.omitted += 1;
}

function dropEvidence(view: PacketView): void {
  for (const entry of view.claims) {
    if (entry.evidence === null) continue;
    entry.evidence = null;
    view.omitted += 1;
  }
}

function dropClaim(view: PacketView): void {
  for (const entry of view.claims) {
    if (entry.claim === null) continue;
    entry.claim = null;
    view.omitted += 1;
  }
}

/** A text that is no packet, as evidence. */
export function textView(source: string, text: string): View {
  return { kind: 'text', view: { digest: digestOf(text), source, text, omitted: 0 } };
}

/** The digest under which a finished context is stored. */
export function contextDigest(items: readonly ReadContextItem[]): Digest {
  return digestOfJson(items);
}
