// Appends groups without end and says each durable seq. stream.mjs FILE BYTES GROUP
import { openLedger } from '@x/ledger/node';

const [, , file, bytes, group] = process.argv;
const outcome = await openLedger(file);
if (outcome.status === 'refused') throw new Error(outcome.message);
const { ledger } = outcome;
for (let n = ledger.head.seq + 1; ; n++) {
  const entries = Array.from({ length: Number(group) }, () => ({
    event: 'packet.in',
    payload: { text: 'x'.repeat(Number(bytes)) },
    timestamp: '2026-01-01T00:00:00.000Z',
  }));
  const appended = ledger.append(ledger.head, entries);
  if (appended.status === 'refused') {
    console.log(`refused ${appended.code}`);
    break;
  }
  process.stdout.write(`durable ${appended.head.seq}\n`);
  if (n % 8 === 0) await new Promise(setImmediate);
}
