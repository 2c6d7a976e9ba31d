/**
 * Runs the example from end to end with the built command: plan, run, verify, and five lines on what happened. It does
 * nothing that you could not type; each command is shown before it runs. Works from any folder.
 *
 * The results go to demo-out/ at the top of the repository. An earlier run's folder is replaced; anything else that has
 * this name is left alone.
 */
import { spawn } from 'node:child_process';
import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../../../', import.meta.url));
const COMMAND = 'apps/conference-cli/dist/main.js';
const EXAMPLE = 'apps/conference-cli/examples/smallest-encoding';
const OUT = 'demo-out';
const LEDGER = 'conference_events.jsonl';
const RESULTS = 'conference_results.tsv';

/**
 * Runs the command in the repository's top folder, shown as one would type it.
 * @param {string[]} words
 * @param {'shown' | 'kept'} output whether standard output goes to the terminal or comes back
 * @returns {Promise<{ code: number | null, text: string }>}
 */
async function conference(words, output) {
  console.log(`\n$ node ${[COMMAND, ...words].map(quoted).join(' ')}`);
  const child = spawn(process.execPath, [COMMAND, ...words], {
    cwd: TOP,
    stdio: ['inherit', output === 'shown' ? 'inherit' : 'pipe', 'inherit'],
  });
  // A terminal gives Ctrl-C to both, and it is the command's to answer; other signals come to this process alone.
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, text };
}

/** @param {string} word */
function quoted(word) {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Removes what an earlier demo left; refuses to touch anything else. */
async function clearOut() {
  const folder = join(TOP, OUT);
  const found = await lstat(folder).catch(() => null);
  if (found === null) return;
  const ledger = await lstat(join(folder, LEDGER)).catch(() => null);
  if (!found.isDirectory() || ledger === null || !ledger.isFile()) {
    stop(
      `${folder} is there and was not made by an earlier run (that is a folder with ${LEDGER} in it). Move it away, then start again.`,
    );
  }
  await rm(folder, { recursive: true });
}

/**
 * @param {string} why
 * @param {number} [code]
 * @returns {never}
 */
function stop(why, code = 1) {
  console.error(`demo: ${why}`);
  process.exit(code);
}

/** The rows of the results table, each by its column names. */
async function readResults() {
  const [head = '', ...lines] = (await readFile(join(TOP, OUT, RESULTS), 'utf8')).trimEnd().split('\n');
  const columns = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}

/** Payload of the last event of this name in the ledger. @param {string} name */
async function lastEvent(name) {
  const lines = (await readFile(join(TOP, OUT, LEDGER), 'utf8')).trimEnd().split('\n');
  const found = lines.map((line) => JSON.parse(line)).findLast(({ event }) => event === name);
  return { payload: found?.payload ?? {}, lines: lines.length };
}

/** The five lines. */
async function tell() {
  const rows = await readResults();
  const { payload, lines } = await lastEvent('conference.completed');
  const size = (/** @type {Record<string, string>} */ row) => Number(row['metric_value']);
  const validated = rows
    .filter((row) => row['peer_review_verdict'] === 'validated')
    .toSorted((a, b) => size(a) - size(b));
  const [best] = validated;
  const baseline = validated.find((row) => row['evaluator_source'] === 'gzip level 9');
  const overturned = rows.filter((row) => row['peer_review_verdict'] === 'overturned');
  if (best === undefined || baseline === undefined) stop(`no validated measurement in ${OUT}/${RESULTS}`);
  const saved = ((100 * (size(baseline) - size(best))) / size(baseline)).toFixed(1);
  const lie = overturned.map(
    (row) => `lane ${row['researcher']} claimed ${row['metric_value']} bytes in round ${row['round']}`,
  );
  console.log(`
Smallest: ${size(best)} bytes, where gzip at level 9 takes ${size(baseline)} (${saved} % fewer), by ${best['evaluator_source']}.
Overturned: ${lie.join(', ') || 'nothing'}. That fault is planted; see ${OUT}/peer_review_round_1.md.
Ended: ${payload.outcome} after ${Math.max(...rows.map((row) => Number(row['round'])))} rounds and ${rows.length} measurements; target met: ${payload.target_met ? 'yes' : 'no'}.
Verified: all ${lines} lines of the ledger, every packet and every artifact in ${OUT}/.
Look at: ${OUT}/final_report.md first, then ${OUT}/${RESULTS} for every measurement and its verdict.`);
}

if ((await lstat(join(TOP, COMMAND)).catch(() => null)) === null) {
  stop(`${COMMAND} is not built. "npx pnpm@12 demo" in ${TOP} builds it and comes back here.`);
}
await clearOut();
process.on('SIGINT', () => {});

const plan = await conference(['plan', `${EXAMPLE}/conference.md`, '--json'], 'kept');
if (plan.code !== 0) stop(`the plan was not accepted:\n${plan.text}`, plan.code ?? 1);
const { plan_digest: digest } = JSON.parse(plan.text);

const host = ['--host', `exec:node ./${EXAMPLE}/child.mjs`, '--slots', '2'];
const words = ['run', `${EXAMPLE}/conference.md`, ...host, '--write-to', OUT, '--confirm', digest];
const run = await conference(words, 'shown');
if (run.code !== 0) stop(`the conference ended with exit code ${run.code}`, run.code ?? 1);

const verify = await conference(['verify', OUT], 'shown');
if (verify.code !== 0) stop(`verify ended with exit code ${verify.code}`, verify.code ?? 1);
await tell();
