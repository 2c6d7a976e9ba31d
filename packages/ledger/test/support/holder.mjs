// Holds a ledger until its input says otherwise. holder.mjs FILE [grandchild]
import { spawn } from 'node:child_process';
import { openLedger } from '@x/ledger/node';

const [, , file, mode] = process.argv;
const outcome = await openLedger(file, { lockWaitMs: 0, purpose: 'holding' });
if (outcome.status === 'refused') {
  console.log(`refused ${outcome.code} ${outcome.holder?.pid ?? ''}`);
  process.exit(1);
}
let child = '';
if (mode === 'grandchild') {
  const grandchild = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
  child = ` ${grandchild.pid}`;
}
console.log(`held ${process.pid}${child}`);
process.stdin.on('data', async () => {
  await outcome.ledger.close();
  console.log('closed');
});
process.stdin.resume();
