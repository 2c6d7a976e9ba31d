/**
 * What a string cites (02 Rejection, PACKET_EVIDENCE): `[E…]` marks, digests, dispatch ids with their claim numbers,
 * and paths. A path is what is absolute, starts with `~/` or a drive, or climbs above its start by `..`.
 */
import { ULID_PATTERN } from '@x/protocol';

export interface Citations {
  /** `E1`, `E12`: as the charter names its evidence. */
  readonly marks: readonly string[];
  readonly digests: readonly string[];
  /** A dispatch id, and what follows it: `c3`, `m1`, or nothing. */
  readonly dispatches: readonly { readonly id: string; readonly item: string | null }[];
  readonly paths: readonly string[];
  /** Not judged, and listed as unchecked. */
  readonly urls: readonly string[];
}

const URL = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"'`)\]}]+/giu;
const MARK_GROUP = /\[\s*E\s*\d{1,9}[^[\]]{0,200}\]/gu;
const MARK =
  /(?<![\p{L}\p{N}])E\s*(\d{1,9})(?:\s*(?:-|–|—|\.\.|bis|to|до)\s*E\s*(\d{1,9})|[-–](\d{1,9})(?![\p{L}\p{N}]))?/gu;
/** A range wider than this names nothing that exists: a charter holds far fewer entries. */
const RANGE_MAX = 1_000;
const DIGEST = /(?<![\p{L}\p{N}])sha256:[0-9a-f]{64}(?![0-9a-f])/giu;
const DISPATCH = /(?<![\p{L}\p{N}_])([0-7][0-9A-HJKMNP-TV-Z]{25})(?![\p{L}\p{N}_])(?:#([cm]\d{1,6}))?/gu;

/** Everything that a string cites. */
export function citationsOf(text: string): Citations {
  const all = text.match(URL) ?? [];
  const isFile = (url: string): boolean => /^file:/iu.test(url);
  const rest = text.replace(URL, (url) =>
    isFile(url) ? ` ${url.replace(/^file:\/\/(?:localhost)?/iu, '')}` : ' ',
  );
  return {
    marks: marksOf(text),
    digests: (text.match(DIGEST) ?? []).map((digest) => digest.toLowerCase()),
    dispatches: [...text.matchAll(DISPATCH)].flatMap(([, id, item]) =>
      id !== undefined && ULID_PATTERN.test(id) ? [{ id, item: item ?? null }] : [],
    ),
    paths: pathsOf(rest),
    urls: all.filter((url) => !isFile(url)),
  };
}

function marksOf(text: string): string[] {
  const marks: string[] = [];
  for (const [group] of text.matchAll(MARK_GROUP)) {
    for (const [, first, far, near] of group.matchAll(MARK)) {
      const from = Number(first);
      const to = Math.min(Number(far ?? near ?? first), from + RANGE_MAX);
      for (let number = from; number <= Math.max(from, to); number += 1) {
        // The first as it is written: `E01` is no name of E1.
        marks.push(number === from ? `E${first ?? ''}` : `E${number}`);
      }
    }
  }
  return marks;
}

/**
 * A word that may be a path. Before it: the start, white space, an opening mark, or `=`, `:`, `,`; none of them is in
 * it, so `(/etc/x)` and `path=/etc/x` are looked at from the slash on. `<` opens nothing: `</b>` is no path.
 */
const TOKEN = /(?<=^|[\s"'`([{=:,;|«“„])(?:[A-Za-z]:(?=[\\/]))?[^\s"'`<>|«»“”„()[\]{}=:,;]+/gu;
const DRIVE = /^[A-Za-z]:[\\/]/u;
const UNC = /^\\\\[^\\]/u;
const ABSOLUTE = /^\/[\p{L}\p{N}_.]/u;
/** `8 /10`, `12 MB /s`, `3 км /год`, `GET /users`: a ratio, a unit, a route. */
const RATIO = /^\/\d[\d.,]*%?$/u;
const UNIT = /^\/\p{L}{1,5}$/u;
const QUANTITY_BEFORE = /\d[\d.,]*\s?[\p{L}%]{0,6}\s$/u;
const TOP_FOLDER =
  /^\/(?:bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|users?|usr|var)$/iu;
const METHOD_BEFORE = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+$/u;
const BEFORE_MAX = 24;

function pathsOf(text: string): string[] {
  const paths: string[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const path = withoutPunctuation(match[0]);
    const before = text.slice(Math.max(0, match.index - BEFORE_MAX), match.index);
    if (isPath(path, before)) paths.push(path);
  }
  return paths;
}

/** A sentence's punctuation does not belong to the path that ends it; the dots of `..` do. */
function withoutPunctuation(token: string): string {
  const last = Math.max(token.lastIndexOf('/'), token.lastIndexOf('\\')) + 1;
  const name = token.slice(last);
  const dots = /^\.\.?(?![^!?…])/u.exec(name)?.[0];
  return token.slice(0, last) + (dots ?? name.replace(/[.!?…]+$/u, ''));
}

function isPath(path: string, before: string): boolean {
  if (path.startsWith('~/') || DRIVE.test(path) || UNC.test(path)) return true;
  if (!ABSOLUTE.test(path)) return climbs(path);
  if (RATIO.test(path) || METHOD_BEFORE.test(before)) return false;
  return !(UNIT.test(path) && !TOP_FOLDER.test(path) && QUANTITY_BEFORE.test(before));
}

/** Whether a relative path leaves where it starts. */
function climbs(path: string): boolean {
  if (!/[\\/]/u.test(path)) return false;
  let depth = 0;
  for (const segment of path.split(/[\\/]/u)) {
    if (segment === '..') depth -= 1;
    else if (segment !== '.' && segment !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** Whether an absolute path lies in one of the roots, by its segments; `..` is carried out first. */
export function isInsideRoots(path: string, roots: readonly string[]): boolean {
  if (!path.startsWith('/')) return false;
  const segments = segmentsOf(path);
  return roots.some((root) => {
    const own = segmentsOf(root);
    return own.every((segment, index) => segments[index] === segment);
  });
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}
