/**
 * Peers as a table for people. Other processes wrote these texts: control characters are taken out, so that no entry
 * can write escapes into a terminal.
 */
import type { Peer } from '@x/coms-envelope/node';

const widthMax = 60;

/** Without control characters of both ranges, line separators, and the marks that turn the direction of text around. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** One line of printable text, cut to a width. */
export function printable(text: string): string {
  const clean = withoutControls(text).trim();
  const units = [...clean];
  return units.length > widthMax ? `${units.slice(0, widthMax - 1).join('')}…` : clean;
}

function age(startedAt: string | number, now: number): string {
  const startedMs = typeof startedAt === 'number' ? startedAt : Date.parse(startedAt);
  if (!Number.isFinite(startedMs)) return '-';
  const seconds = Math.max(0, Math.floor((now - startedMs) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

export function peerTable(
  peers: readonly Peer[],
  { showProject, now }: { showProject: boolean; now: number },
): string {
  const header = ['NAME', ...(showProject ? ['PROJECT'] : []), 'MODEL', 'CONTEXT', 'QUEUE', 'UP', 'PURPOSE'];
  const rows = peers.map(({ project, entry }) => [
    entry.name,
    ...(showProject ? [project] : []),
    printable(entry.model) || '-',
    typeof entry.context_used_pct === 'number' ? `${Math.round(entry.context_used_pct)}%` : '-',
    typeof entry.queue_depth === 'number' ? String(entry.queue_depth) : '-',
    age(entry.started_at, now),
    printable(entry.purpose),
  ]);
  const widths = header.map((title, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), title.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[header, ...rows].map(line).join('\n')}\n`;
}
