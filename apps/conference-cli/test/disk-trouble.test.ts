/**
 * The bug to catch: the disk is full, read-only or gone, and something is acknowledged that is not on it, or the program ends with
 * a stack instead of a code.
 *
 * A full disk is a tmpfs of a few hundred kilobytes in a mount namespace of its own, so it takes root (or user namespaces).
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import {
  childScript,
  conference,
  json,
  main,
  makePlace,
  removePlace,
  start,
  until,
  type Document,
} from './support/crash/command.ts';
import { leftovers } from './support/crash/killed-run.ts';
import { payloads, readLines } from './support/crash/ledger-file.ts';
import { dispatch, packetFor, proceed, submit } from './support/crash/packets.ts';
import { confirmed, planText, runWords } from './support/crash/plan.ts';

// Dozens of processes a test, on a machine that may have others to run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const places: string[] = [];
const place = (): string => {
  const made = makePlace();
  places.push(made);
  return made;
};
afterAll(() => places.forEach(removePlace));

const isRoot = process.getuid?.() === 0;
/** A mount namespace of one's own: what a full disk is made in. */
const mounts = spawnSync('unshare', ['-m', 'true']).status === 0;
/** `setpriv` takes root's way around modes away. */
const dropped =
  isRoot && spawnSync('setpriv', ['--bounding-set=-all', '--inh-caps=-all', 'true']).status === 0;
const readOnly: readonly string[] = dropped ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** What a script in a small tmpfs printed, each answer a line of `LABEL EXIT JSON`. */
function inSmallDisk(here: string, script: string): Map<string, { code: number; document: Document }> {
  writeFileSync(join(here, 'conference.md'), planText({ target: '>= 61', timeout: '2h' }));
  const file = join(here, 'script.sh');
  writeFileSync(
    file,
    `set -u
disk=${here}/disk; mkdir "$disk"; mount -t tmpfs -o size=\${SIZE:-400k} tmpfs "$disk" || exit 77
conference() { ${process.execPath} ${main} "$@" 2>>${here}/stderr; }
said() { label=$1; shift; out=$(conference "$@" --json); printf '%s %s %s\\n' "$label" $? "$out"; }
fill() { dd if=/dev/zero of="$disk/ballast" bs=1k 2>/dev/null; cat /dev/null; }
free() { rm -f "$disk/ballast"; }
packet() { printf '%s' "$1" | ${childScript}; }
field() { node -e 'const d=JSON.parse(require("fs").readFileSync(0,"utf8"));const g=(o,p)=>p.split(".").reduce((v,k)=>v?.[k],o);process.stdout.write(typeof g(d,process.argv[1])==="string"?g(d,process.argv[1]):canonical(g(d,process.argv[1])));function canonical(v){return JSON.stringify(v,(_,i)=>i&&typeof i==="object"&&!Array.isArray(i)?Object.fromEntries(Object.entries(i).sort(([a],[b])=>a<b?-1:1)):i)}' "$1"; }
digest=$(conference plan ${here}/conference.md --json | field plan_digest)
${script}
`,
  );
  const ran = spawnSync('unshare', ['-m', 'sh', file], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: here, TMPDIR: here },
  });
  const said = new Map<string, { code: number; document: Document }>();
  for (const line of ran.stdout.split('\n').filter((text) => text !== '')) {
    const [label = '', code = '', ...rest] = line.split(' ');
    said.set(label, { code: Number(code), document: JSON.parse(rest.join(' ') || '{}') as Document });
  }
  const stderr = existsSync(join(here, 'stderr')) ? readFileSync(join(here, 'stderr'), 'utf8') : '';
  if (said.size === 0) throw new Error(`the script ended with ${ran.status}: ${ran.stderr}${stderr}`);
  expect(stderr).not.toMatch(/\n\s+at /);
  return said;
}

test.skipIf(!mounts)(
  'on a full disk a submit is not recorded, by code and exit 1, and the same one is received once there is room again (needs unshare -m) [LEDG-07]',
  { timeout: 120_000 },
  () => {
    const said = inSmallDisk(
      place(),
      `mkdir "$disk/out"; cp ${'$'}{disk%/disk}/conference.md "$disk/out/"
said confirm confirm "$disk/out" --plan-digest "$digest" --write-to "$disk/out"
lanes=$(conference dispatch "$disk/out" --slots 2 --json)
charter=$(printf '%s' "$lanes" | field actions.0.charter); id=$(printf '%s' "$charter" | field dispatch_id)
fill
packet "$charter" > ${'$'}{disk%/disk}/packet
said full submit "$disk/out" "$id" ${'$'}{disk%/disk}/packet
said status status "$disk/out"
said dispatch dispatch "$disk/out" --open
free
said again submit "$disk/out" "$id" ${'$'}{disk%/disk}/packet
said verify verify "$disk/out" --deep`,
    );
    expect(said.get('confirm')?.code).toBe(0);
    const full = said.get('full');
    expect([full?.code, full?.document.error?.code]).toEqual([
      1,
      expect.stringMatching(/^(LEDGER|WRITE)_DISK_FULL$/),
    ]);
    expect(said.get('again')).toMatchObject({ code: 0, document: { result: 'received' } });
    expect(said.get('verify')).toMatchObject({ code: 0, document: { findings: [] } });
  },
);

test.skipIf(!mounts)(
  'a run whose disk fills up ends with the code, exit 1 and no child, and is resumed when there is room (needs unshare -m) [LEDG-07]',
  { timeout: 120_000 },
  () => {
    const here = place();
    const said = inSmallDisk(
      here,
      `gate="${here}/gate"
host="exec:${childScript} gate-poster=$gate"
ledger="$disk/out/conference_events.jsonl"
( until [ "$(grep -cs dispatch.received "$ledger")" = 2 ]; do sleep 0.02; done; fill; touch "$gate" ) & filler=$!
said run run ${here}/conference.md --host "$host" --slots 2 --confirm "$digest" --write-to "$disk/out"
wait $filler
said full run --resume "$disk/out" --host "$host"
free
said verify verify "$disk/out" --deep
accept=$(conference recover "$disk/out" --json | field receipt_digest)
said resumed run --resume "$disk/out" --host "$host" --slots 2 --accept "$accept"`,
    );
    expect(said.get('run')?.code).toBe(1);
    expect(readFileSync(join(here, 'stderr'), 'utf8')).toMatch(/(LEDGER|WRITE)_DISK_FULL/);
    expect(said.get('full')?.code).toBe(3);
    // What was recorded before the disk was full stands whole.
    expect(said.get('verify')?.document.findings).toEqual([]);
    expect([0, 3]).toContain(said.get('resumed')?.code);
    expect(leftovers(here)).toEqual([]);
  },
);

test.skipIf(isRoot && !dropped)(
  'in a read-only folder nothing is recorded, by code and exit 1; reading goes on, and so does writing when it is writable again [LEDG-07]',
  async () => {
    const here = place();
    const folder = await confirmed(here, { target: '>= 61', timeout: '2h' });
    const [lane] = await dispatch(folder);
    const before = readLines(folder).length;
    const packet = packetFor(lane?.charter);
    const modes = (folderMode: number, fileMode: number): void => {
      chmodSync(join(folder, 'conference_events.jsonl'), fileMode);
      for (const name of ['objects', 'packets'].filter((one) => existsSync(join(folder, one))))
        chmodSync(join(folder, name), folderMode);
      chmodSync(folder, folderMode);
    };
    modes(0o500, 0o400);
    const refused = await conference(['submit', folder, lane?.dispatch_id ?? '', '-', '--json'], {
      cwd: here,
      input: packet,
      wrapper: readOnly,
    });
    expect([refused.code, JSON.parse(refused.out)]).toEqual([
      1,
      { error: { code: 'LEDGER_READ_ONLY', message: expect.stringContaining('writable') } },
    ]);
    const status = await conference(['status', folder, '--json'], { cwd: here, wrapper: readOnly });
    expect(status.code).toBe(0);
    modes(0o700, 0o600);
    expect(readLines(folder)).toHaveLength(before);
    expect((await submit(folder, lane?.dispatch_id, packet)).document.result).toBe('received');
  },
);

test('write trouble after a packet was accepted: received, with the code in the output, exit 4; the next verb writes what is owed [LEDG-07 CLI-09]', async () => {
  const here = place();
  const folder = await confirmed(here, { target: '>= 61', timeout: '2h' });
  await proceed(folder, 2);
  const [review] = await dispatch(folder);
  // A folder where an artifact belongs: it cannot be written, the ledger can.
  mkdirSync(join(folder, 'peer_review_round_1.md'));
  const { code, document } = await submit(folder, review?.dispatch_id, packetFor(review?.charter));
  expect([code, document.result, document.code]).toEqual([4, 'received', 'WRITE_CHECK_FAILED']);
  expect(payloads(folder, 'dispatch.received')).toHaveLength(4);
  rmSync(join(folder, 'peer_review_round_1.md'), { recursive: true });
  expect((await json(['expire', folder], { cwd: here })).document.state).toBe('SYNTHESIZING');
  expect((await json(['verify', folder, '--deep'], { cwd: here })).document.findings).toEqual([]);
});

test('a folder that is moved away or removed under a run ends it with a code, exit 1, no child left, and what was recorded is where it went [LEDG-07]', async () => {
  for (const how of ['move', 'remove'] as const) {
    const here = place();
    const gate = join(here, 'gate');
    const folder = join(here, 'out');
    const words = await runWords(here, { behaviours: [`gate=${gate}`], values: { target: '>= 61' } });
    const running = start(words, { cwd: here });
    await until(
      () =>
        existsSync(join(folder, 'conference_events.jsonl')) &&
        payloads(folder, 'dispatch.issued').length === 2,
    );
    if (how === 'move') renameSync(folder, join(here, 'elsewhere'));
    else rmSync(folder, { recursive: true });
    writeFileSync(gate, '');
    const { code, err } = await running.ended;
    expect([how, code]).toEqual([how, 1]);
    expect(err).toMatch(/(LEDGER|WRITE)_[A-Z_]+/);
    expect(err).not.toMatch(/\n\s+at /);
    expect(leftovers(here)).toEqual([]);
    if (how === 'move') {
      renameSync(join(here, 'elsewhere'), folder);
      const verified = await json(['verify', folder, '--deep'], { cwd: here });
      expect(verified.document.findings).toEqual([]);
      expect((await json(['recover', folder], { cwd: here })).code).toBe(0);
    }
  }
});

test('paths that are no conference folder are told as such, never with a stack', async () => {
  const here = place();
  writeFileSync(join(here, 'file'), '');
  mkdirSync(join(here, 'empty'));
  for (const verb of ['status', 'dispatch', 'recover']) {
    for (const name of ['file', 'empty', 'nowhere']) {
      const { code, out, err } = await conference(
        [verb, join(here, name), '--lock-wait', '0'].slice(
          0,
          verb === 'dispatch' || verb === 'expire' ? 4 : 2,
        ),
        { cwd: here },
      );
      expect([verb, name, code === 1 || code === 2, out, /\n\s+at /.test(err)]).toEqual([
        verb,
        name,
        true,
        '',
        false,
      ]);
    }
  }
});
