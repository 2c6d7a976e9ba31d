/**
 * The artifacts of a conference without what two conferences with the same packets may differ in. Taken out, and nothing else:
 *
 * - dispatch ids and digests of packets: each becomes the role, round and lane of its dispatch, since the conference id is drawn
 *   and a redispatched attempt has an id of its own; other digests, of files and of the ledger, become `sha256:*`;
 * - the conference id, timestamps, and the time spent;
 * - the ledger's line in the report (length and head);
 * - the recorded interruptions: rows of dispatches that brought no packet, how many there were, the decisions that sent them
 *   again, and the iterations that their charters cost;
 * - the order of dispatches in lists by order of issue (a lane sent again comes after the other one), and of link addresses.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from './ledger-file.ts';

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** File name to comparable text, for every file of the folder but the ledger and what lies beside it. */
export function comparable(folder: string): Record<string, string> {
  const names = namesOf(folder);
  const files = readdirSync(folder).filter((name) => /\.(md|tsv)$/.test(name));
  return Object.fromEntries(
    files
      .toSorted()
      .map((name) => [name, withoutDifferences(readFileSync(join(folder, name), 'utf8'), names)]),
  );
}

/** What each id and digest stands for. */
function namesOf(folder: string): Map<string, string> {
  const seats = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { event, payload } of readLines(folder)) {
    const id = String(payload['dispatch_id']);
    if (event === 'conference.planned') names.set(String(payload['conference_id']), 'CONFERENCE');
    if (event === 'dispatch.issued') {
      const seat = [payload['role'], payload['round'], payload['lane']].join('-');
      seats.set(id, seat);
      names.set(id, `LOST-${seat}`);
    }
    if (event !== 'dispatch.received') continue;
    const seat = seats.get(id) ?? 'nobody';
    names.set(id, seat);
    for (const key of ['digest', 'content_digest']) {
      const hex = String(payload[key]).slice('sha256:'.length);
      names.set(hex, `${key}-of-${seat}`);
      // Links are labelled by the first digits.
      names.set(hex.slice(0, 12), `${key}-of-${seat}`);
    }
  }
  return names;
}

function withoutDifferences(text: string, names: ReadonlyMap<string, string>): string {
  const named = text
    .replace(/[0-9a-f]{64}|[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{12}/g, (found) => names.get(found) ?? found)
    .replace(/sha256:[0-9a-f]{64}/g, 'sha256:*')
    .replace(ISO, 'TIME')
    .replace(/^Ledger: \d+ events, head sha256:\*$/m, 'LEDGER LINE')
    .replace(/^\| Time \| [^|]* \|/m, '| Time | TIME |')
    .replace(/iterations: \d+ of/, 'iterations: N of')
    .replace(/^\| Iterations \| \d+ \|/m, '| Iterations | N |')
    .replace(/\d+ of (\d+) iterations spent, \d+ left/, 'N of $1 iterations spent, N left')
    .replace(/^\d+ dispatches: (\d+) received, \d+ not\./m, 'N dispatches: $1 received, N not.')
    .replace(/^\d+ dispatches, all received\./m, 'N dispatches: all received.')
    .replace(/^- Dispatches: (?:\d+ [a-z_]+, )*(\d+ received)(?:, \d+ [a-z_]+)*$/m, '- Dispatches: $1')
    .replace(/^- Temporary paths removed: \d+,/m, '- Temporary paths removed: N,')
    .replace(/^- (?:failed|timed_out|cancelled): .*\n/gm, '')
    .replace(/^- received: (.*)$/m, (_, ids: string) => `- received: ${ids.split(' ').toSorted().join(' ')}`)
    .replace(/^## Decisions\n[^]*?(?=^## )/m, '')
    .replace(/^.*LOST-.*\n/gm, '');
  return sortedRuns(
    sortedRuns(named, /^\| `(?:researcher|poster|reviewer|synthesis)-/),
    /^\[[^\]]+\]: packets\//,
  );
}

/** Neighbouring lines of a kind, in one order. */
function sortedRuns(text: string, kind: RegExp): string {
  const lines = text.split('\n');
  const sorted: string[] = [];
  let run: string[] = [];
  for (const line of [...lines, null]) {
    if (line !== null && kind.test(line)) {
      run.push(line);
      continue;
    }
    sorted.push(...run.toSorted());
    run = [];
    if (line !== null) sorted.push(line);
  }
  return sorted.join('\n');
}
