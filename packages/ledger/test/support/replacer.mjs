// Replaces one file by two contents in turn, without end. replacer.mjs FOLDER
import { digestOf } from '@x/ledger';
import { openGrantedRoot } from '@x/ledger/node';

const [, , folder] = process.argv;
const grant = { grant_id: 'g', root: folder, actions: ['write'], revision: 1, granted_by: 'test' };
const situation = () => ({ grant, now: '2026-01-01T00:00:00.000Z', revision: 1, accepts: () => true });
const { root } = openGrantedRoot(grant, { situation });
const contents = ['a', 'b'].map((letter) => Buffer.from(letter.repeat(200_000)));
const replaces = contents.map((bytes) => digestOf(bytes));
const planned = { grant_id: 'g', grant_revision: 1, revision: 1, digest: null };
for (let n = 0; ; n++) {
  const { status } = root.write({ path: 'report.md', bytes: contents[n % 2], planned, replaces });
  if (status !== 'written') throw new Error(status);
  if (n === 0) console.log('started');
}
