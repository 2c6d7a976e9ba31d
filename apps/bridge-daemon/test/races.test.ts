// Catches a question with two outcomes when answer, cancel and timeout come in the same millisecond.
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOpen, parseQid } from '@x/bridge';
import { listen, openComs } from '@x/coms-envelope/node';
import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { createBridgeCore } from '../src/bridge-core.ts';
import { openContractLog } from '../src/log/contract-log.ts';
import { openOperationalLog } from '../src/log/operational-log.ts';
import { openFolders } from '../src/store/folders.ts';
import { createMemoryTransport } from './support/memory-transport.ts';
import { waitFor } from './support/wait-for.ts';

const full = process.env['FULL'] === '1';
const races = full ? 2_000 : 200;
const atOnce = 50;

/** Keeps the event loop from running the clock's timers before the test's own acts. */
const holdUntil = (at: number): void => {
  while (Date.now() < at);
};

test(
  `${races} times answer, cancel and timeout in one millisecond: one terminal state, at most one outcome to the asker [BRID-27 BRID-21 BRID-25]`,
  { timeout: 600_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'bd-'));
    const folders = openFolders(join(root, 'b', 'questions'));
    if (folders.code === 'refused') throw new Error(folders.message);
    const { state, questions } = folders.folders;
    const opened = openComs({ root: join(root, 'c') });
    if (!opened.ok) throw new Error(opened.message);
    const received: { msg_id: string; error?: unknown }[] = [];
    const asker = await listen({
      coms: opened.coms,
      name: 'planner',
      handlers: {
        response: (response) => {
          received.push(response);
          return { ok: true };
        },
      },
    });
    if (!asker.ok) throw new Error(asker.message);
    const daemon = { name: 'user-remote', project: 'default', coms_dir: opened.coms.root };
    const transport = createMemoryTransport();
    const core = createBridgeCore({
      coms: opened.coms,
      daemon,
      from: { session: 's', endpoint: asker.endpoint },
      folders: folders.folders,
      contractLog: openContractLog(folders.folders.log),
      transport,
      log: openOperationalLog('silent'),
      pollMs: 50,
    });
    try {
      await core.start();
      const counts = new Map<string, number>();
      for (let done = 0; done < races; done += atOnce) {
        const at = Date.now() + 150;
        const qids = Array.from({ length: atOnce }, () => {
          const qid = parseQid(ulid());
          if (qid === null) throw new Error('no qid');
          return qid;
        });
        await Promise.all(
          qids.map((qid) =>
            core.desk.ask({
              qid,
              daemon,
              asker: {
                name: 'planner',
                cwd: '/',
                project: 'default',
                session: null,
                endpoint: asker.endpoint,
                hops: 0,
              },
              prompt_digest: qid,
              question: { question: 'Go?', options: [] },
              timeout_ms: Math.max(1, at - Date.now()),
            }),
          ),
        );
        for (const qid of qids)
          writeFileSync(
            join(root, qid),
            JSON.stringify({ qid, answer: 'yes', answered_by: 'race', at: new Date().toISOString() }),
          );
        await waitFor('the moment', () => Date.now() >= at - 2);
        // All three at the deadline, each time in another order. A third of the cancels come a
        // little later, and one of a batch surely too late: whoever is faster here, no side wins them all.
        holdUntil(at);
        for (const [index, qid] of qids.entries()) {
          const answer = () => renameSync(join(root, qid), join(questions, `${qid}.answer.json`));
          const cancel = () => void core.cancel(qid, 'telegram:ann');
          if (index % 3 === 0) [answer, cancel].forEach((act) => act());
          else if (index % 3 === 1) [cancel, answer].forEach((act) => act());
          else {
            answer();
            if (index === 2)
              void waitFor('a winner', () => !isOpen(core.desk.held(qid)?.state ?? null)).then(cancel);
            else setTimeout(cancel, 10);
          }
        }
        await waitFor('all to be settled', () =>
          qids.every((qid) => {
            const held = core.desk.held(qid);
            return held === null && !readdirSync(questions).includes(`${qid}.answer.json`);
          }),
        );
        for (const qid of qids) {
          const record: unknown = JSON.parse(readFileSync(join(state, 'closed', `${qid}.json`), 'utf8'));
          const { state: end, outcome } = record as { state: string; outcome: { kind: string } }; // our own file
          expect(['answered', 'cancelled', 'timeout']).toContain(end);
          expect(outcome.kind).toBe(end);
          counts.set(end, (counts.get(end) ?? 0) + 1);
          const told = received.filter(({ msg_id }) => msg_id === qid);
          expect(told).toHaveLength(1);
          expect(told[0]?.error === undefined).toBe(end === 'answered');
        }
      }
      const log = readFileSync(folders.folders.log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { qid: string; event: string });
      const terminal = log.filter(({ event }) => ['answered', 'cancelled', 'timeout'].includes(event));
      expect(terminal).toHaveLength(races);
      expect(new Set(terminal.map(({ qid }) => qid)).size).toBe(races);
      // A race that only one side ever wins is none.
      expect(counts.size).toBeGreaterThan(1);
    } finally {
      await core.close();
      await asker.close();
      rmSync(root, { recursive: true, force: true });
    }
  },
);
