/**
 * Run where files may have 4 KiB: appends what fits, then three texts at once of which the last does not, and then what
 * is asked for: `more`, or the first of the three `again`.
 */
import { createJournal } from '../../src/store/journal.ts';

const [, , folder = ''] = process.argv;
const journal = createJournal({
  folder,
  name: 'journal.a',
  bytesMax: 1_000_000,
  quietMs: 1_000,
  boot: 'boot-1',
  retryMs: 1_000,
  settle: () => Promise.reject(new Error('not now')),
});
await journal.append('one', 'kept');
const said = await Promise.allSettled([
  journal.append('two', 'x'.repeat(500)),
  journal.append('three', 'x'.repeat(500)),
  journal.append('four', 'x'.repeat(9_000)),
]);
process.stdout.write(`${said.map(({ status }) => status).join(' ')}\n`);
if (process.argv[3] === 'more') await journal.append('five', 'y');
if (process.argv[3] === 'again') await journal.append('two', 'x'.repeat(500));
process.kill(process.pid, 'SIGKILL');
