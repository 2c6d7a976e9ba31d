// On a file system of 64 KiB: fills it, says what was refused and what is left, makes room, goes on. fill.mjs FOLDER
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { openGrantedRoot, openLedger } from '@x/ledger/node';

const [, , folder] = process.argv;
const file = `${folder}/ledger.jsonl`;
const entry = { event: 'a', payload: { text: 'x'.repeat(3000) }, timestamp: '2026-01-01T00:00:00.000Z' };
const say = (value) => console.log(JSON.stringify(value));
writeFileSync(`${folder}/ballast`, Buffer.alloc(16_384));
const first = await openLedger(file);
let outcome = first.ledger.append(first.head, [entry]);
let { head } = first;
while (outcome.status === 'appended') {
  ({ head } = outcome);
  outcome = first.ledger.append(head, [entry]);
}
say({
  code: outcome.code,
  errno: outcome.errno,
  head: first.ledger.head.seq,
  expected: head.seq,
  size: statSync(file).size,
  bytes: head.bytes,
});
say({ again: first.ledger.append(head, [entry]).code });
const grant = { grant_id: 'g', root: folder, actions: ['write'], revision: 1, granted_by: 'test' };
const situation = () => ({ grant, now: '2026-01-01T00:00:00.000Z', revision: 1, accepts: () => true });
const { root } = openGrantedRoot(grant, { situation });
const planned = { grant_id: 'g', grant_revision: 1, revision: 1, digest: null };
const written = root.write({ path: 'report.md', bytes: Buffer.alloc(20_000, 97), planned });
say({ code: written.code, errno: written.errno });
await first.ledger.close();
rmSync(`${folder}/ballast`);
const second = await openLedger(file);
const after = second.ledger.append(second.head, [entry]);
say({ reopened: second.head.seq, setAside: second.setAside, after: after.status });
await second.ledger.close();
