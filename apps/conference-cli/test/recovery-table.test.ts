/**
 * The bug to catch: an interruption is found and nothing, or something that nobody decided, follows from it. Each row of the
 * recovery table from end to end: what `recover` finds, what its decision does, and what it leaves alone.
 *
 * One conference of one round, driven by the stepwise verbs, is kept at moments of its life; every test goes on from one of
 * them. Cutting the ledger before a record is what a kill before its append leaves.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { digestOfJson, recoveryReceiptSchema } from '@x/protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  conference,
  json,
  makeQuickPlace,
  removePlace,
  start,
  until,
  type Document,
  type Proposal,
} from './support/crash/command.ts';
import { ledgerOf, payloads, readLines } from './support/crash/ledger-file.ts';
import { dispatch, packetFor, proceed, submit } from './support/crash/packets.ts';
import { confirmed, hostOf, planText, resumeWords, runWords } from './support/crash/plan.ts';
import { cutBefore, keep, named, wrote, type Stage } from './support/crash/stage.ts';

// Dozens of processes a test, on a machine that may have others to run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let place: string;
let folder: string;
/** Two lanes out; both in and the poster due; reviewed and the synthesis due; closed. */
let out: Stage;
let poster: Stage;
let synthesis: Stage;
let closed: Stage;

beforeAll(async () => {
  place = makeQuickPlace();
  folder = await confirmed(place, { target: '>= 61', timeout: '2h' });
  await dispatch(folder);
  out = keep(folder, join(place, 'kept-out'));
  const lines = await openCharters();
  await submitAll(lines);
  poster = keep(folder, join(place, 'kept-poster'));
  await proceed(folder, 2);
  synthesis = keep(folder, join(place, 'kept-synthesis'));
  await proceed(folder, 1);
  closed = keep(folder, join(place, 'kept-closed'));
}, 120_000);
afterAll(() => removePlace(place));

const here = () => ({ cwd: place });
const verb = (...words: string[]) => json(words, here());
const recover = (...more: string[]) => verb('recover', folder, ...more);
const decide = (id: string | undefined, option: string) => verb('decide', folder, id ?? '', option);
const bytesOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

async function openCharters() {
  const { document } = await verb('dispatch', folder, '--open');
  return document.actions ?? [];
}

async function submitAll(actions: Document['actions']): Promise<void> {
  for (const { dispatch_id, charter } of actions ?? []) await submit(folder, dispatch_id, packetFor(charter));
}

function proposed(document: Document, row: string): Proposal {
  const found = document.proposals?.find((proposal) => proposal.row === row);
  if (found === undefined) throw new Error(`no proposal ${row} in ${JSON.stringify(document.proposals)}`);
  return found;
}
const rows = (document: Document): string[] => (document.proposals ?? []).map(({ row }) => row);
const options = ({ options: some }: Proposal): string[] => some.map(({ id }) => id);

test('a plan that nobody confirmed goes back to the start gate, by decide or by a resume alike [CONF-23]', async () => {
  out.restore();
  cutBefore(folder, named('conference.confirmed'));
  const { document } = await recover();
  expect(rows(document)).toEqual(['not_confirmed']);
  const words = ['run', '--resume', folder, '--host', hostOf(), '--accept', document.receipt_digest ?? ''];
  const resumed = await json(words, here());
  expect([resumed.code, resumed.document.state]).toEqual([3, 'PLANNING']);
  expect(payloads(folder, 'dispatch.issued')).toEqual([]);
});

test('the receipt is made from the ledger, the packets, the files and the grant: it names the last complete round and phase, every id, what is left, and what was written [RECO-01 RECO-08]', async () => {
  const receiptAt = async (stage: Stage) => {
    stage.restore();
    const { code, document } = await recover();
    const { receipt, receipt_digest } = document;
    expect([code, receipt_digest]).toEqual([0, digestOfJson(recoveryReceiptSchema.parse(receipt))]);
    const issued = payloads(folder, 'dispatch.issued').map(({ dispatch_id }) => dispatch_id);
    const received = payloads(folder, 'dispatch.received');
    expect(receipt).toMatchObject({
      dispatches: issued.map((dispatch_id) => ({
        dispatch_id,
        state: received.some((row) => row['dispatch_id'] === dispatch_id) ? 'received' : 'dispatched',
      })),
      accepted_packets: received.map(({ digest }) => digest),
      rejected_packets: [],
      stale_state: 'current',
      bounded_work: { granted_revision: 1, current_revision: 1 },
      user_decision: 'none yet',
    });
    const { last_complete_round: rounds, last_complete_phase: phase, root_writes, cleanup } = receipt ?? {};
    return { rounds, phase, root_writes, cleanup };
  };
  expect(await receiptAt(out)).toMatchObject({ rounds: 0, phase: null, root_writes: 'none' });
  const research = { round: 1, phase: 'research' };
  expect(await receiptAt(poster)).toMatchObject({ rounds: 0, phase: research, cleanup: 'not due' });
  const transfer = { round: 1, phase: 'transfer' };
  const reviewed = await receiptAt(synthesis);
  expect(reviewed).toMatchObject({ rounds: 1, phase: transfer });
  expect(reviewed.root_writes).toEqual([
    'conference.md',
    'conference_results.tsv',
    'peer_review_round_1.md',
    'poster_session_round_1.md',
  ]);
  expect(await receiptAt(closed)).toMatchObject({
    rounds: 1,
    phase: { round: 1, phase: 'synthesis' },
    cleanup: 'done',
  });
  synthesis.restore();
  const { out: words } = await conference(['recover', folder], here());
  expect(words).toMatch(
    /last complete round +1\n +last complete phase +transfer of round 1\n +state +SYNTHESIZING/,
  );
});

test('what children leave behind moves nothing: no status text, packet without an event, finished-looking file or passed deadline is a result [RECO-02]', async () => {
  out.restore();
  const before = (await recover()).document;
  const [first] = await openCharters();
  const packet = packetFor(first?.charter);
  const digest = createHash('sha256').update(packet).digest('hex');
  for (const [name, text] of [
    [`packets/${digest}.json`, packet],
    ['status.json', '{"state":"COMPLETE","dispatches":"received"}'],
    [`${first?.dispatch_id}.done`, 'all lanes finished'],
    ['poster_session_round_1.md', '# Poster session of round 1'],
    ['synthesis.md', '# Synthesis'],
    ['conference_events.jsonl.tmp', '{"event":"dispatch.received"}'],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  expect((await recover()).document).toEqual(before);
  const later = (await recover('--at', '2999-01-01T00:00:00Z')).document.receipt;
  expect(later?.['dispatches']).toEqual(before.receipt?.['dispatches']);
  const status = (await verb('status', folder)).document;
  expect([status.state, status.phase]).toEqual(['COLLECTING', 'research']);
  // The same bytes, handed in for their dispatch, are its result.
  const { document } = await submit(folder, first?.dispatch_id, packet);
  expect(document).toMatchObject({ result: 'received', digest: `sha256:${digest}` });
  expect((await recover()).document.receipt?.['accepted_packets']).toEqual([`sha256:${digest}`]);
});

test('a receipt that was printed for a time is accepted for that time, and for no other [RECO-10]', async () => {
  const own = await confirmed(
    place,
    { target: '>= 61', timeout: '2h', constraints: ['**Time budget:** 3h'] },
    'at',
  );
  await dispatch(own);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const [now, then] = [
    (await json(['recover', own], here())).document,
    (await json(['recover', own, '--at', at], here())).document,
  ];
  expect(then.receipt_digest).not.toBe(now.receipt_digest);
  const words = ['run', '--resume', own, '--host', hostOf(), '--accept', then.receipt_digest ?? ''];
  const other = await json(words, here());
  expect([other.code, other.document.error?.code]).toEqual([2, 'RECEIPT_MISMATCH']);
  const invalid = await json([...words, '--at', 'soon'], here());
  expect([invalid.code, invalid.document.error?.code]).toEqual([2, 'AT_INVALID']);
  const resumed = start([...words, '--at', at], here());
  await until(() => payloads(own, 'recovery.inspected').length > 0);
  resumed.child.kill('SIGTERM');
  await resumed.ended;
  expect(payloads(own, 'recovery.inspected')).toMatchObject([
    { receipt: { remaining_time_ms: then.receipt?.['remaining_time_ms'] } },
  ]);
});

test('the revision of a work state is read anew: the receipt says at which one the grant stands, or that it gives nothing any more [RECO-01]', async () => {
  const own = join(place, 'worktree');
  const state = join(own, '.hermes/lithermes/work/w1/state.json');
  mkdirSync(dirname(state), { recursive: true });
  const write = (change: object) =>
    writeFileSync(
      state,
      JSON.stringify({
        schema: 3,
        status: 'active',
        revision: 4,
        authority: [{ id: 'a1', action: 'write', root: own }],
        ...change,
      }),
    );
  write({});
  writeFileSync(join(own, 'conference.md'), planText());
  const { document } = await json(['plan', join(own, 'conference.md')], here());
  const given = ['confirm', own, '--plan-digest', document.plan_digest ?? '', '--grant', state];
  expect((await json(given, here())).code).toBe(0);
  const boundedWork = async () => (await json(['recover', own], here())).document.receipt?.['bounded_work'];
  expect(await boundedWork()).toEqual({ grant_id: 'a1', granted_revision: 4, current_revision: 4 });
  write({ revision: 5 });
  expect(await boundedWork()).toMatchObject({ granted_revision: 4, current_revision: 5 });
  write({ status: 'closed' });
  expect(await boundedWork()).toMatchObject({ granted_revision: 4, current_revision: null });
});

test('a dispatch whose deadline has not passed stays dispatched, under proposals whose ids stay the same; the time is an input [RECO-03 RECO-10 CONF-24]', async () => {
  out.restore();
  const before = readFileSync(ledgerOf(folder));
  const [first, second] = [await recover(), await recover()];
  expect(second).toEqual(first);
  expect(rows(first.document)).toEqual(['open_in_time']);
  expect((await recover('--at', '2999-01-01T00:00:00Z')).document.proposals?.[0]?.row).toBe('open_overdue');
  expect((await recover('--at', 'tomorrow')).code).toBe(2);
  expect(readFileSync(ledgerOf(folder)).equals(before)).toBe(true);
  const decided = await decide(proposed(first.document, 'open_in_time').proposal_id, 'resume');
  expect(decided.code).toBe(0);
  const inspected = payloads(folder, 'recovery.inspected');
  expect(inspected.map(({ receipt }) => receipt)).toMatchObject([{ user_decision: 'open_in_time: resume' }]);
  expect(await openCharters()).toHaveLength(2);
  // The head moved, so the old id answers nothing any more.
  expect((await decide(first.document.proposals?.[0]?.proposal_id, 'resume')).code).toBe(2);
});

test('a host that is resumed with declares lost only what it had sent itself: what a caller sent stays out [RECO-03 RECO-10]', async () => {
  out.restore();
  const resumed = start(await resumeWords(folder, here()), here());
  const lock = join(folder, 'ledger.lock');
  await until(() => existsSync(lock) && bytesOf('ledger.lock').includes('control_socket'));
  resumed.child.kill('SIGTERM');
  expect((await resumed.ended).code).toBe(1);
  expect(payloads(folder, 'recovery.inspected')).toHaveLength(1);
  expect(payloads(folder, 'dispatch.failed')).toEqual([]);
  expect(await openCharters()).toHaveLength(2);
});

/** Two lanes of which one answers before its deadline: where the machine was too slow for that, with more time. */
async function oneLaneInTime() {
  for (const timeout of ['6s', '20s', '60s']) {
    const own = await confirmed(place, { target: '>= 61', timeout }, `overdue-${timeout}`);
    const [a, b] = await dispatch(own);
    const { document } = await submit(own, a?.dispatch_id, packetFor(a?.charter));
    if (document.result === 'received') return { own, b };
  }
  throw new Error('no packet came within a minute');
}

test('overdue lanes beside a packet are timed out only by a decision that says what follows: sent again under new ids, gone on without, or stopped [RECO-03 RECO-04 RECO-08]', async () => {
  const { own, b } = await oneLaneInTime();
  const kept = keep(own, join(place, 'kept-overdue'));
  const deadline = Date.parse(String(payloads(own, 'dispatch.issued')[1]?.['deadline']));
  await until(() => Date.now() > deadline);
  const { document } = await json(['recover', own], here());
  expect(rows(document)).toEqual(['open_overdue', 'some_research']);
  const some = proposed(document, 'some_research');
  expect(options(some)).toEqual(['continue', 'redispatch', 'stop']);
  expect(document.receipt).toMatchObject({
    last_complete_round: 0,
    last_complete_phase: null,
    phase: 'research',
    remaining_iterations: 20,
    root_writes: 'none',
  });

  expect((await json(['decide', own, some.proposal_id, 'redispatch'], here())).code).toBe(0);
  expect(payloads(own, 'dispatch.timed_out')).toMatchObject([{ dispatch_id: b?.dispatch_id }]);
  const [again, ...others] = await dispatch(own);
  expect(others).toEqual([]);
  expect(payloads(own, 'dispatch.issued')[2]).toMatchObject({
    lane: 'B',
    attempt: 2,
    dispatch_id: again?.dispatch_id,
  });
  const late = await submit(own, b?.dispatch_id, packetFor(b?.charter));
  expect([late.code, late.document.result]).toEqual([5, 'stale']);

  kept.restore();
  expect((await json(['decide', own, some.proposal_id, 'continue'], here())).document).toMatchObject({
    state: 'COLLECTING',
    phase: 'poster',
  });
  kept.restore();
  expect((await json(['decide', own, some.proposal_id, 'stop'], here())).document.state).toBe('CANCELLED');
});

test('with the poster missing and its inputs as they were, that role alone is sent again, and a failed one is asked about [RECO-05]', async () => {
  poster.restore();
  const { document } = await recover();
  expect(rows(document)).toEqual(['role_missing']);
  const missing = proposed(document, 'role_missing');
  expect(missing.found).toContain('poster of round 1');
  expect((await decide(missing.proposal_id, 'resume')).code).toBe(0);
  const [sent] = await dispatch(folder);
  expect(sent).toMatchObject({ role: 'poster' });
  await submit(folder, sent?.dispatch_id, 'nothing to read here');
  const failed = await recover();
  const asked = proposed(failed.document, 'role_missing');
  expect(options(asked)).toEqual(['redispatch', 'skip', 'stop']);
  const status = await verb('status', folder);
  expect(status.document.pending?.decision_id).toBe(asked.proposal_id);
  expect((await decide(asked.proposal_id, 'redispatch')).code).toBe(0);
  expect((await dispatch(folder)).map(({ role }) => role)).toEqual(['poster']);
  expect(payloads(folder, 'dispatch.issued').at(-1)).toMatchObject({ role: 'poster', attempt: 2 });
});

test('a packet that is not as recorded invalidates the incomplete phase: nothing is dispatched until it is back and revalidated [RECO-05 PROTO-35]', async () => {
  poster.restore();
  const [packet = ''] = readdirSync(join(folder, 'packets'));
  const path = join(folder, 'packets', packet);
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.from(whole).fill(0x20, 10, 20));
  const found = await recover();
  expect([found.code, rows(found.document)]).toEqual([4, ['inputs_drifted']]);
  const refused = await verb('dispatch', folder);
  expect([refused.code, refused.document.state, refused.document.code]).toEqual([
    4,
    'BLOCKED',
    'BLOCKED_STALE_CONFERENCE_STATE',
  ]);
  const stale = (await recover()).document;
  expect(options(proposed(stale, 'inputs_drifted'))).toEqual(['revalidate', 'restart']);
  const id = proposed(stale, 'inputs_drifted').proposal_id;
  const inVain = await decide(id, 'revalidate');
  expect([inVain.code, inVain.document.error?.code]).toEqual([4, 'BLOCKED_STALE_CONFERENCE_STATE']);
  expect((await verb('status', folder)).document.state).toBe('BLOCKED');
  writeFileSync(path, whole);
  expect((await decide(id, 'revalidate')).document).toMatchObject({ state: 'COLLECTING', phase: 'poster' });
  expect((await dispatch(folder)).map(({ role }) => role)).toEqual(['poster']);
});

test('after an interrupted transfer only what is missing is written, and bytes of somebody else are left alone until the user decides [RECO-06 PROTO-34 PROTO-37]', async () => {
  synthesis.restore();
  const made = bytesOf('peer_review_round_1.md');
  cutBefore(folder, wrote('poster_session_round_1.md'), ['poster_session_round_1.md']);
  const stood = statSync(join(folder, 'poster_session_round_1.md'));
  const { document } = await recover();
  const transfer = proposed(document, 'transfer_missing');
  expect((await decide(transfer.proposal_id, 'resume')).code).toBe(0);
  const after = statSync(join(folder, 'poster_session_round_1.md'));
  expect([after.ino, after.mtimeMs]).toEqual([stood.ino, stood.mtimeMs]);
  expect(bytesOf('peer_review_round_1.md')).toBe(made);
  expect((await verb('status', folder)).document.state).toBe('SYNTHESIZING');

  synthesis.restore();
  cutBefore(folder, wrote('peer_review_round_1.md'), ['poster_session_round_1.md']);
  writeFileSync(join(folder, 'peer_review_round_1.md'), 'notes of my own\n');
  const blocked = await verb('expire', folder);
  expect(blocked.code).toBe(4);
  expect(bytesOf('peer_review_round_1.md')).toBe('notes of my own\n');
  const status = await verb('status', folder);
  expect([status.document.state, status.document.pending?.kind]).toEqual(['BLOCKED', 'stale_state']);
  expect((await decide(status.document.pending?.decision_id, 'revalidate')).code).toBe(0);
  expect(bytesOf('peer_review_round_1.md')).toBe(made);
});

test('a file that was renamed into place over its earlier bytes, and not recorded, is ours: nothing differs, and it is not written again [RECO-06]', async () => {
  const own = join(place, 'rounds');
  mkdirSync(own);
  expect((await conference(await runWords(own), { cwd: own })).code).toBe(0);
  const ran = join(own, 'out');
  const isTable = wrote('conference_results.tsv');
  const last = readLines(ran).findLast(isTable);
  cutBefore(ran, ({ seq }) => seq === last?.seq, ['poster_session_round_2.md', 'peer_review_round_2.md']);
  const stood = statSync(join(ran, 'conference_results.tsv'));
  const { code, document } = await json(['recover', ran], here());
  expect([code, rows(document)]).toEqual([0, ['transfer_missing']]);
  const verified = (await json(['verify', ran], here())).document;
  // What is ours and only lacks its record is listed as bytes without an event are, and harmless as they are.
  expect([verified.findings, verified.orphans]).toEqual([
    [],
    expect.arrayContaining(['conference.md', 'conference_results.tsv']),
  ]);
  const { proposal_id } = proposed(document, 'transfer_missing');
  expect((await json(['decide', ran, proposal_id, 'resume'], here())).document.state).toBe('SYNTHESIZING');
  const after = statSync(join(ran, 'conference_results.tsv'));
  expect([after.ino, after.mtimeMs]).toEqual([stood.ino, stood.mtimeMs]);
  expect(readLines(ran).findLast(isTable)?.payload).toEqual(last?.payload);
});

test('without a synthesis packet a new dispatch is proposed, from validated claims only, and a failed one is asked about [RECO-07 AUTO-21]', async () => {
  synthesis.restore();
  const { document } = await recover();
  expect(rows(document)).toEqual(['synthesis_missing']);
  expect((await decide(proposed(document, 'synthesis_missing').proposal_id, 'resume')).code).toBe(0);
  const [sent] = await dispatch(folder);
  expect(sent?.role).toBe('synthesis');
  expect(JSON.stringify(sent?.charter)).toContain('validated');
  await submit(folder, sent?.dispatch_id, 'no packet');
  expect(options(proposed((await recover()).document, 'synthesis_missing'))).toEqual([
    'redispatch',
    'complete_without',
  ]);
});

test('an accepted synthesis whose files are missing is serialized, to the bytes that it had [RECO-07 AUTO-21]', async () => {
  closed.restore();
  const report = bytesOf('synthesis.md');
  cutBefore(folder, wrote('synthesis.md'));
  const { document } = await recover();
  const missing = proposed(document, 'report_missing');
  expect(missing.found).toContain('synthesis.md');
  expect((await decide(missing.proposal_id, 'resume')).document.state).toBe('COMPLETE');
  expect(bytesOf('synthesis.md')).toBe(report);
  expect((await verb('verify', folder, '--deep')).code).toBe(0);

  closed.restore();
  const final = bytesOf('final_report.md');
  cutBefore(folder, wrote('final_report.md'));
  const later = proposed((await recover()).document, 'report_missing');
  expect((await decide(later.proposal_id, 'resume')).code).toBe(0);
  expect(bytesOf('final_report.md')).toBe(final);
});

test('a close that was interrupted anywhere is finished by the next writing verb without a decision [RECO-09]', async () => {
  for (const [cut, keeping] of [
    // Killed between the rename of the report and the append of its record.
    [wrote('final_report.md'), ['final_report.md']],
    [named('conference.completed'), []],
    [named('cleanup.receipt'), []],
  ] as const) {
    closed.restore();
    const report = bytesOf('final_report.md');
    cutBefore(folder, cut, keeping);
    const found = await recover();
    expect(rows(found.document)).toEqual(['closing_missing']);
    expect(proposed(found.document, 'closing_missing').options).toEqual([]);
    const verified = await verb('verify', folder);
    expect(verified.code).toBe(4);
    expect(JSON.stringify(verified.document.findings)).toContain('closing events missing');
    expect((await verb('expire', folder)).code).toBe(0);
    expect(readLines(folder).at(-1)?.event).toBe('cleanup.receipt');
    expect(bytesOf('final_report.md')).toBe(report);
    expect(payloads(folder, 'recovery.inspected')).toEqual([]);
  }
  closed.restore();
  cutBefore(folder, named('conference.completed'));
  const resumed = await json(['run', '--resume', folder, '--host', hostOf()], here());
  expect([resumed.code, resumed.document.state, resumed.document.liveness]).toEqual([
    0,
    'COMPLETE',
    'finished',
  ]);
});

test('artifacts and plan that differ block until the user chooses: restored byte for byte, or ended [PROTO-35 PROTO-34]', async () => {
  synthesis.restore();
  const [review, table] = [bytesOf('peer_review_round_1.md'), bytesOf('conference_results.tsv')];
  appendFileSync(join(folder, 'peer_review_round_1.md'), 'added by hand\n');
  rmSync(join(folder, 'conference_results.tsv'));
  const { code, document } = await recover();
  expect([code, rows(document), document.receipt?.['stale_state']]).toEqual([
    4,
    ['bytes_differ', 'synthesis_missing'],
    'BLOCKED_STALE_CONFERENCE_STATE',
  ]);
  const differ = proposed(document, 'bytes_differ');
  const kept = keep(folder, join(place, 'kept-differ'));
  expect((await decide(differ.proposal_id, 'revalidate')).document.state).toBe('SYNTHESIZING');
  expect([bytesOf('peer_review_round_1.md'), bytesOf('conference_results.tsv')]).toEqual([review, table]);
  expect((await recover()).code).toBe(0);

  kept.restore();
  expect((await decide(differ.proposal_id, 'restart')).document.state).toBe('CANCELLED');
  expect(payloads(folder, 'conference.cancelled')).toHaveLength(1);

  poster.restore();
  writeFileSync(
    join(folder, 'conference.md'),
    bytesOf('conference.md').replace('rounds:** 6', 'rounds:** 9'),
  );
  const plan = await recover();
  expect(plan.code).toBe(4);
  const changed = proposed(plan.document, 'bytes_differ');
  const resume = [
    'run',
    '--resume',
    folder,
    '--host',
    hostOf(),
    '--accept',
    plan.document.receipt_digest ?? '',
  ];
  const resumed = await json(resume, here());
  expect([resumed.code, resumed.document.state, resumed.document.pending?.kind]).toEqual([
    4,
    'BLOCKED',
    'stale_state',
  ]);
  expect(changed.found).toContain('conference.md');
  const revalidated = await decide(resumed.document.pending?.decision_id, 'revalidate');
  expect(revalidated.document.state).toBe('COLLECTING');
  expect((await recover()).code).toBe(0);
});

/** The content of every accepted packet, as it lies in the folder. */
function contents(): string[] {
  return payloads(folder, 'dispatch.received').map(({ content_digest }) => {
    const hex = String(content_digest).slice('sha256:'.length);
    return join(folder, 'objects', `${hex}.json`);
  });
}

test('a restart over content that is lost ends the conference whole: the report says what is missing, the close is done, and nothing is owed [PROTO-35 CONF-27]', async () => {
  synthesis.restore();
  const [lost = ''] = contents();
  rmSync(lost);
  const stale = (await recover()).document;
  const { proposal_id } = proposed(stale, 'inputs_drifted');
  const restarted = await decide(proposal_id, 'restart');
  expect([restarted.code, restarted.document.state, restarted.err]).toEqual([0, 'CANCELLED', '']);
  expect(readLines(folder).at(-1)?.event).toBe('cleanup.receipt');
  const report = bytesOf('final_report.md');
  const [a] = payloads(folder, 'dispatch.received');
  expect(report).toMatch(/^# Outcome: CANCELLED/);
  expect(report).toContain('The content of 1 accepted packet is lost');
  expect(report).toContain(
    `Lost: R1 A, dispatch \`${String(a?.['dispatch_id'])}\`, packet \`${String(a?.['digest'])}\``,
  );
  expect(payloads(folder, 'cleanup.receipt')[0]?.['residual_uncertainty']).toEqual(
    expect.arrayContaining([expect.stringMatching(/^The user decided to restart, .*missing/)]),
  );
  expect((await verb('next', folder)).document.actions).toMatchObject([{ action: 'done' }]);
  expect((await verb('expire', folder)).code).toBe(0);
  const again = await verb('report', folder);
  expect([again.code, (again.document as { report?: string }).report]).toEqual([0, report]);
  // The report itself can be brought back, too.
  rmSync(join(folder, 'final_report.md'));
  const gone = proposed((await recover()).document, 'bytes_differ');
  expect((await decide(gone.proposal_id, 'revalidate')).code).toBe(0);
  expect(bytesOf('final_report.md')).toBe(report);
});

test('an end whose report lost content waits for the user: brought back it is whole, or it is closed without, in words [PROTO-35 RECO-09]', async () => {
  closed.restore();
  const whole = bytesOf('final_report.md');
  cutBefore(folder, wrote('final_report.md'));
  const [lost = ''] = contents();
  const bytes = readFileSync(lost);
  rmSync(lost);
  const refused = await verb('expire', folder);
  expect([refused.code, refused.document.error?.message]).toEqual([
    4,
    expect.stringContaining('conference recover'),
  ]);
  expect(existsSync(join(folder, 'final_report.md'))).toBe(false);
  const owed = keep(folder, join(place, 'kept-owed'));
  const found = (await recover()).document;
  expect(rows(found)).toEqual(['content_lost']);
  expect(options(proposed(found, 'content_lost'))).toEqual(['complete_without']);
  expect((await decide(proposed(found, 'content_lost').proposal_id, 'complete_without')).code).toBe(0);
  expect(bytesOf('final_report.md')).toContain('The content of 1 accepted packet is lost');
  expect(readLines(folder).at(-1)?.event).toBe('cleanup.receipt');

  owed.restore();
  writeFileSync(lost, bytes);
  expect((await verb('expire', folder)).code).toBe(0);
  expect(bytesOf('final_report.md')).toBe(whole);
});

test('the artifacts of a closed conference are restored without a word in its ledger [PROTO-34]', async () => {
  closed.restore();
  const [report, ledger] = [bytesOf('final_report.md'), bytesOf('conference_events.jsonl')];
  writeFileSync(join(folder, 'final_report.md'), 'lost\n');
  rmSync(join(folder, 'synthesis.md'));
  const { document } = await recover();
  expect(options(proposed(document, 'bytes_differ'))).toEqual(['revalidate']);
  expect((await decide(proposed(document, 'bytes_differ').proposal_id, 'revalidate')).code).toBe(0);
  expect(bytesOf('final_report.md')).toBe(report);
  expect(bytesOf('conference_events.jsonl')).toBe(ledger);
  expect((await verb('verify', folder, '--deep')).document.findings).toEqual([]);
});

test('a torn last line is said by recover, and set aside by the next writer, never dropped; a whole one is kept [LEDG-06]', async () => {
  out.restore();
  const before = bytesOf('conference_events.jsonl');
  appendFileSync(ledgerOf(folder), '{"digest":"sha256:00\u00e9');
  const torn = Buffer.from('{"digest":"sha256:00\u00e9');
  const { document } = await recover();
  expect(rows(document)).toEqual(['open_in_time', 'torn_line']);
  const asked = await json(['run', '--resume', folder, '--host', hostOf()], here());
  expect([asked.code, asked.document.error?.code]).toEqual([3, 'RECEIPT_NOT_ACCEPTED']);
  expect(readdirSync(folder).filter((name) => name.includes('.torn-'))).toEqual([]);
  const expired = await verb('expire', folder);
  expect(expired.err).toContain(`${torn.length} torn bytes`);
  const [name = ''] = readdirSync(folder).filter((file) => file.includes('.torn-'));
  expect(readFileSync(join(folder, name)).equals(torn)).toBe(true);
  expect(bytesOf('conference_events.jsonl')).toBe(before);

  out.restore();
  writeFileSync(ledgerOf(folder), before.slice(0, -1));
  const whole = (await recover()).document;
  expect(rows(whole)).toEqual(['open_in_time']);
  expect((await decide(proposed(whole, 'open_in_time').proposal_id, 'resume')).code).toBe(0);
  expect(bytesOf('conference_events.jsonl').startsWith(before)).toBe(true);
});

test('a damaged line is named, and kept out by a decision of the user alone, who is told where it went [RECO-11 CONF-23]', async () => {
  poster.restore();
  const lines = bytesOf('conference_events.jsonl').split('\n');
  const line = lines.findIndex((text) => text.includes('"dispatch.received"')) + 1;
  const damaged = bytesOf('conference_events.jsonl').replace('"dispatch.received"', '"dispatch.rEceived"');
  writeFileSync(ledgerOf(folder), damaged);
  const found = await recover();
  expect(found.code).toBe(4);
  const proposal = proposed(found.document, 'damaged_line');
  expect(proposal.found).toContain(`line ${line}`);
  for (const words of [
    ['expire', folder],
    ['next', folder],
    ['verify', folder],
    ['decide', folder, 'nothing', 'keep_verified_prefix'],
  ]) {
    const refused = await verb(...words);
    expect([refused.code, refused.document.error?.code]).toEqual([4, 'BLOCKED_STALE_CONFERENCE_STATE']);
  }
  expect(bytesOf('conference_events.jsonl')).toBe(damaged);
  const decided = await decide(proposal.proposal_id, 'keep_verified_prefix');
  expect([decided.code, decided.err]).toEqual([0, expect.stringContaining('from the damaged line on')]);
  const [name = ''] = readdirSync(folder).filter((file) => file.includes('.torn-'));
  expect(bytesOf(name)).toBe(
    damaged
      .split('\n')
      .slice(line - 1)
      .join('\n'),
  );
  expect(payloads(folder, 'recovery.inspected')).toMatchObject([
    { receipt: { user_decision: 'keep_verified_prefix' } },
  ]);
  expect((await verb('verify', folder, '--deep')).code).toBe(0);

  // Before the grant there is nothing that could be gone on with.
  writeFileSync(ledgerOf(folder), damaged.replace('"grant.activated"', '"grant.Activated"'));
  const early = proposed((await recover()).document, 'damaged_line');
  expect(early.options).toEqual([]);
  expect((await decide(early.proposal_id, 'keep_verified_prefix')).code).toBe(4);
  expect(bytesOf('conference_events.jsonl')).toContain('"grant.Activated"');
});

test('a decision that was pending when the root died is still the one that is asked [CONF-24]', async () => {
  out.restore();
  const [a, b] = await openCharters();
  await submit(folder, a?.dispatch_id, 'nothing');
  await submit(folder, b?.dispatch_id, 'nothing');
  const { document } = await recover();
  const pending = (await verb('status', folder)).document.pending;
  expect(document.proposals?.filter(({ proposal_id }) => proposal_id === pending?.decision_id)).toHaveLength(
    1,
  );
  expect((await decide(pending?.decision_id, 'redispatch')).code).toBe(0);
  expect(await dispatch(folder)).toHaveLength(2);
});
