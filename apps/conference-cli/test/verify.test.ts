/**
 * The bugs these exist to catch: a folder that was changed and still "holds", a finding that names the wrong place, and
 * a digest that only our own code can recompute.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { conference, freshFolder, makeFolder, removeFolder } from './support/command.ts';
import { eventsNamed, snapshot } from './support/folder.ts';
import { runOnce } from './support/run.ts';

const LEDGER = 'conference_events.jsonl';

let whole: string;
beforeAll(async () => {
  const place = makeFolder();
  const ran = await runOnce({ place, behaviours: ['B=exit:3'] });
  expect(ran.code, ran.err).toBe(0);
  whole = ran.folder;
  return () => removeFolder(place);
});

interface Verification {
  readonly holds: boolean;
  readonly events: number;
  readonly head: string;
  readonly findings: readonly { readonly where: string; readonly problem: string }[];
  readonly orphans: readonly string[];
  readonly proved: readonly string[];
  readonly not_proved: readonly string[];
}

/** A copy that a test may spoil. */
function copy(): string {
  const folder = join(freshFolder(), 'copy');
  cpSync(whole, folder, { recursive: true });
  return folder;
}

async function verify(folder: string, args: readonly string[] = []) {
  const before = snapshot(folder);
  const ran = await conference(['verify', folder, '--json', ...args], { cwd: folder });
  expect(snapshot(folder)).toEqual(before);
  return { ...ran, document: JSON.parse(ran.out) as Verification };
}

function ledgerLines(folder: string): string[] {
  return readFileSync(join(folder, LEDGER), 'utf8').trimEnd().split('\n');
}

test('an untouched folder holds, in words and as a document, and says what it cannot prove [CLI-12 LEDG-13]', async () => {
  const { code, document } = await verify(whole, ['--deep']);
  expect(code).toBe(0);
  expect(document).toMatchObject({
    holds: true,
    events: ledgerLines(whole).length,
    findings: [],
    orphans: [],
  });
  expect(document.proved.join('\n')).toContain('every payload against its schema');
  expect(document.proved.join('\n')).toMatch(/no line up to \d+ is missing, by the report/);
  expect(document.not_proved).not.toEqual([]);
  const words = await conference(['verify', '.'], { cwd: whole });
  expect(words.out).toContain(`Holds: ${document.events} events, head ${document.head}`);
  expect(words.out).toContain('Cannot be proved:');
});

describe('a folder that was changed', () => {
  test('one flipped byte in a line of the ledger: exit 4, the line named, in words too [CLI-12 LEDG-05]', async () => {
    const folder = copy();
    const bytes = readFileSync(join(folder, LEDGER));
    const at = ledgerLines(folder).slice(0, 6).join('\n').length + 1 + 150;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(folder, LEDGER), bytes);
    const ran = await conference(['verify', folder], { cwd: folder });
    expect(ran.code).toBe(4);
    expect(ran.err + ran.out).toContain('BLOCKED_STALE_CONFERENCE_STATE');
    expect(ran.err + ran.out).toMatch(/line 7\b/);
  });

  test('a line taken out of the middle, and two lines that changed places [CLI-12 LEDG-05]', async () => {
    for (const spoil of [
      (lines: string[]) => lines.toSpliced(9, 1),
      (lines: string[]) => lines.toSpliced(9, 2, lines[10] ?? '', lines[9] ?? ''),
    ]) {
      const folder = copy();
      writeFileSync(join(folder, LEDGER), `${spoil(ledgerLines(folder)).join('\n')}\n`);
      const ran = await conference(['verify', folder], { cwd: folder });
      expect(ran.code).toBe(4);
      expect(ran.err + ran.out).toMatch(/line 10\b/);
    }
  });

  test('its last two lines deleted: the chain verifies, and the report says that they are missing [CLI-12 LEDG-13]', async () => {
    const folder = copy();
    writeFileSync(join(folder, LEDGER), `${ledgerLines(folder).slice(0, -2).join('\n')}\n`);
    const { code, document } = await verify(folder);
    expect(code).toBe(4);
    expect(document.findings.map(({ problem }) => problem).join('\n')).toMatch(
      /closing events missing|missing at the end/,
    );
  });

  test('cut back to before the report: the lines are missing by number [CLI-12 LEDG-13]', async () => {
    const folder = copy();
    const lines = ledgerLines(folder);
    writeFileSync(join(folder, LEDGER), `${lines.slice(0, 12).join('\n')}\n`);
    const { code, document } = await verify(folder);
    expect(code).toBe(4);
    const said = document.findings.map(({ where, problem }) => `${where}: ${problem}`).join('\n');
    expect(said).toMatch(/conference_events\.jsonl: lines 13 to \d+ are missing at the end/);
  });

  test('the whole ledger deleted, or emptied: never "holds" [CLI-12 LEDG-13]', async () => {
    const gone = copy();
    unlinkSync(join(gone, LEDGER));
    const missing = await conference(['verify', gone], { cwd: gone });
    expect([2, 4]).toContain(missing.code);
    expect(missing.err).toContain(LEDGER);
    const empty = copy();
    truncateSync(join(empty, LEDGER));
    const { code, document } = await verify(empty);
    expect(code).toBe(4);
    expect(document.holds).toBe(false);
    expect(document.findings.map(({ where }) => where).join(' ')).toMatch(
      /conference_events|final_report|synthesis/,
    );
  });

  test('the last line torn: reported, and not set aside by a reader [CLI-12]', async () => {
    const folder = copy();
    const bytes = readFileSync(join(folder, LEDGER));
    writeFileSync(join(folder, LEDGER), bytes.subarray(0, bytes.length - 40));
    const { code, document } = await verify(folder);
    expect(code).toBe(4);
    expect(document.findings.map(({ problem }) => problem).join('\n')).toContain('torn');
  });

  test.each([
    'synthesis.md',
    'conference_results.tsv',
    'poster_session_round_1.md',
    'final_report.md',
    'conference.md',
  ])('one byte more in %s: the file is named [CLI-12]', async (name) => {
    const folder = copy();
    appendFileSync(join(folder, name), name === 'conference.md' ? '\n- **Max rounds:** 9\n' : ' ');
    const { code, document } = await verify(folder);
    expect(code).toBe(4);
    expect(document.findings[0]?.where).toBe(name);
  });

  test('an artifact removed: the file is named as missing [CLI-12]', async () => {
    const folder = copy();
    unlinkSync(join(folder, 'synthesis.md'));
    const { code, document } = await verify(folder);
    expect(code).toBe(4);
    expect(document.findings).toEqual([
      { where: 'synthesis.md', problem: expect.stringContaining('missing') as string },
    ]);
  });

  test('a changed, and a missing packet, object, and text that the plan quotes: what depends on it is named [CLI-12 LEDG-23]', async () => {
    const received = eventsNamed(whole, 'dispatch.received')[0];
    const plan = eventsNamed(whole, 'conference.planned')[0]?.['plan'] as { context: { digest: string }[] };
    const hex = (digest: unknown): string => String(digest).slice('sha256:'.length);
    for (const [path, named] of [
      [`packets/${hex(received?.['digest'])}.json`, String(received?.['dispatch_id'])],
      [`objects/${hex(received?.['content_digest'])}.json`, String(received?.['dispatch_id'])],
      [`objects/${hex(plan.context[0]?.digest)}.json`, hex(plan.context[0]?.digest)],
    ] as const) {
      for (const spoil of [(file: string) => appendFileSync(file, ' '), unlinkSync]) {
        const folder = copy();
        chmodSync(join(folder, path), 0o600);
        spoil(join(folder, path));
        const { code, document } = await verify(folder);
        expect(code, path).toBe(4);
        expect(JSON.stringify(document.findings)).toContain(named);
      }
    }
  });

  test('a packet that was swapped for another accepted one does not hold [CLI-12 LEDG-23]', async () => {
    const folder = copy();
    const [one = '', two = ''] = readdirSync(join(folder, 'packets'));
    const bytes = readFileSync(join(folder, 'packets', one));
    rmSync(join(folder, 'packets', two), { force: true });
    writeFileSync(join(folder, 'packets', two), bytes);
    expect((await verify(folder)).code).toBe(4);
  });

  test('bytes that no event names are orphans: listed, and harmless [CLI-12]', async () => {
    const folder = copy();
    writeFileSync(join(folder, 'packets', `${'a'.repeat(64)}.json`), '{}');
    const { code, document } = await verify(folder);
    expect(code).toBe(0);
    expect(document.orphans).toEqual([`packets/${'a'.repeat(64)}.json`]);
  });
});

test('a folder without a ledger is bad input, and says so [CLI-02]', async () => {
  const cwd = freshFolder();
  for (const verb of ['verify', 'status', 'report']) {
    const ran = await conference([verb], { cwd });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('LEDGER_MISSING');
  }
  expect(readdirSync(cwd)).toEqual([]);
});

const noPython = spawnSync('python3', ['-c', '']).status === 0 ? '' : 'python3 is not on this machine';

describe.skipIf(noPython !== '')(`a second implementation${noPython && ` (skipped: ${noPython})`}`, () => {
  const script = join(import.meta.dirname, 'support', 'verify_ledger.py');
  const second = (folder: string) =>
    spawnSync('python3', [script, join(folder, LEDGER)], { encoding: 'utf8' });

  test('written from 03 alone agrees on every digest, prev, seq and canonical form of a real run [LEDG-01 LEDG-02]', async () => {
    const { document } = await verify(whole);
    const ran = second(whole);
    expect(ran.stdout + ran.stderr).toBe(`{"lines": ${document.events}, "head": "${document.head}"}\n`);
  });

  test('sees the same damage at the same line', () => {
    const folder = copy();
    const lines = ledgerLines(folder);
    writeFileSync(
      join(folder, LEDGER),
      `${lines.toSpliced(4, 1, (lines[4] ?? '').replace('"seq":5', '"seq": 5')).join('\n')}\n`,
    );
    const ran = second(folder);
    expect([ran.status, ran.stdout]).toEqual([4, 'line 5: not canonical JSON\n']);
  });
});
