/**
 * A layout as a picture of its own, to its true ratios.
 *
 * Boundary: pure; a layout in, the text of an SVG file out. No script, no link, no font to load.
 *
 * S1  Every text stands on a surface that the picture paints itself: it is legible on any page behind it.
 * S2  Legible at its own width of 800 px: no text below 12 px, none outside its pane.
 * S3  Every pane is named: in its place, or by number in the list below where its place is too small.
 */
import { paneAreas } from '../plan/pane-areas.ts';
import type { PaneArea } from '../plan/pane-areas.ts';
import type { PlannedPane, TeamLayout } from '../plan/layout-node.ts';
import { percent } from './percent.ts';

const WIDTH = 800;
const MARGIN = 16;
const TITLE_HEIGHT = 44;
const PICTURE_WIDTH = WIDTH - 2 * MARGIN;
const PICTURE_HEIGHT_MIN = 420;

/** Half the gap between two panes; the true edge is in the middle of the gap. */
const GAP = 2;

/** Room inside a pane between its border and its text. */
const PADDING = 8;

/** Rows of text in a pane: its name and its share, or its number alone. */
const NAME_SIZE = 14;
const SMALL_SIZE = 12;
const LINE_HEIGHT = 18;
const PANE_HEIGHT_MIN = 2 * LINE_HEIGHT + 2 * PADDING;

/** Widest common monospaced letters, in parts of the font size; a little more than most fonts need. */
const LETTER_WIDTH = 0.62;

const LIST_ROW = 20;

/** Plain class rules, no variables: programs that turn SVG into pixels know these. */
const STYLE = `
.sheet{fill:#ffffff;stroke:#d0d7de}
.pane{fill:#f6f8fa;stroke:#6e7781}
.conductor{fill:#ddf4ff;stroke:#0969da}
text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}
.title,.name{font-size:${NAME_SIZE}px;font-weight:600}
.small{font-size:${SMALL_SIZE}px;fill:#424a53}
@media (prefers-color-scheme:dark){
.sheet{fill:#0d1117;stroke:#3d444d}
.pane{fill:#161b22;stroke:#8b949e}
.conductor{fill:#0c2a4d;stroke:#4493f8}
text{fill:#f0f6fc}
.small{fill:#c3cad2}
}`;

/** The SVG of a layout, 800 px wide and as high as its panes need. */
export function drawSvg(plan: TeamLayout): string {
  const areas = paneAreas(plan.layout);
  const lowest = Math.min(...areas.map(({ top, bottom }) => bottom - top));
  const pictureHeight = Math.ceil(Math.max(PICTURE_HEIGHT_MIN, (PANE_HEIGHT_MIN + 2 * GAP) / lowest));
  const panes: string[] = [];
  const listed: string[] = [];
  for (const [index, area] of areas.entries()) {
    const number = String(index + 1);
    const box = pixelsOf(area, pictureHeight);
    const isNamed = fits(area.pane.label, NAME_SIZE, box.width);
    panes.push(paneOf(area, box, isNamed ? null : number));
    if (!isNamed) listed.push(`${number} · ${area.pane.label} · ${percent(area.share)}`);
  }
  const listTop = TITLE_HEIGHT + pictureHeight + MARGIN;
  const height = listTop + listed.length * LIST_ROW + (listed.length > 0 ? MARGIN / 2 : 0);
  const list = listed.map((line, row) => listLine(line, listTop + row * LIST_ROW + SMALL_SIZE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeXml(plan.label)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="sheet" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    `<text class="title" x="${MARGIN}" y="28">${escapeXml(shortened(plan.label, NAME_SIZE, PICTURE_WIDTH))}</text>`,
    ...panes,
    ...list,
    '</svg>',
    '',
  ].join('\n');
}

interface Pixels {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function pixelsOf(area: PaneArea<PlannedPane>, pictureHeight: number): Pixels {
  const x = MARGIN + area.left * PICTURE_WIDTH + GAP;
  const y = TITLE_HEIGHT + area.top * pictureHeight + GAP;
  return {
    x,
    y,
    width: MARGIN + area.right * PICTURE_WIDTH - GAP - x,
    height: TITLE_HEIGHT + area.bottom * pictureHeight - GAP - y,
  };
}

/** @param number stands for the name where the name does not fit; null where it does */
function paneOf({ pane, share }: PaneArea<PlannedPane>, box: Pixels, number: string | null): string {
  const command = pane.command.map((word) => (word === '' ? '""' : word));
  const env = pane.env_file === undefined ? [] : [`env ${pane.env_file}`];
  const heading = number ?? pane.label;
  const x = pixel(box.x + PADDING);
  const first = box.y + PADDING + NAME_SIZE;
  const rows = number === null ? rowsOf(percent(share), command, env, box) : [percent(share)];
  const lines = rows
    .filter((text) => fits(text, SMALL_SIZE, box.width))
    .map((text, row) => {
      const y = pixel(first + (row + 1) * LINE_HEIGHT);
      return `<text class="small" x="${x}" y="${y}">${escapeXml(text)}</text>`;
    });
  return [
    `<g><title>${escapeXml([pane.label, percent(share), command.join(' '), ...env].join(' · '))}</title>`,
    `<rect class="${kindOf(pane)}" x="${pixel(box.x)}" y="${pixel(box.y)}" width="${pixel(box.width)}" height="${pixel(box.height)}" rx="4"/>`,
    ...(fits(heading, NAME_SIZE, box.width)
      ? [`<text class="name" x="${x}" y="${pixel(first)}">${escapeXml(heading)}</text>`]
      : []),
    ...lines,
    '</g>',
  ].join('\n');
}

/** What stands below a name: its share, then its command if all of it has room, then that it has an env file. */
function rowsOf(share: string, command: readonly string[], env: readonly string[], box: Pixels): string[] {
  const roomFor = Math.floor((box.height - 2 * PADDING - NAME_SIZE) / LINE_HEIGHT);
  const commandRows = inRows(command, box.width);
  const envRows = env.map((text) => (fits(text, SMALL_SIZE, box.width) ? text : 'env file'));
  const all = [share, ...commandRows, ...envRows];
  if (all.length <= roomFor) return all;
  const withoutEnv = [share, ...commandRows];
  return withoutEnv.length <= roomFor ? withoutEnv : [share];
}

function kindOf({ label, command }: PlannedPane): string {
  // By its command too: a peer may be called conductor.
  return label === 'conductor' && command[0] === 'hermes' ? 'pane conductor' : 'pane';
}

/** A command in rows that a pane is wide enough for; nothing where one word is wider than the pane. */
function inRows(words: readonly string[], width: number): string[] {
  const rows: string[] = [];
  for (const word of words) {
    const last = rows.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && fits(longer, SMALL_SIZE, width)) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows.every((row) => fits(row, SMALL_SIZE, width)) ? rows : [];
}

function listLine(line: string, y: number): string {
  return `<text class="small" x="${MARGIN}" y="${y}">${escapeXml(shortened(line, SMALL_SIZE, PICTURE_WIDTH))}</text>`;
}

function fits(text: string, size: number, width: number): boolean {
  return text.length * size * LETTER_WIDTH <= width - 2 * PADDING;
}

function shortened(text: string, size: number, width: number): string {
  const letters = Math.floor(width / (size * LETTER_WIDTH));
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
}

/** Three decimals: below what a screen shows, and the same digits on every machine. */
function pixel(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
