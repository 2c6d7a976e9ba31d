// Opens, appends one entry of about BYTES, closes, COUNT times; says each seq that is durable. appender.mjs FILE NAME BYTES COUNT
import { openLedger } from '@x/ledger/node';

const [, , file, name, bytes, count] = process.argv;
for (let n = 0; n < Number(count); n++) {
  const outcome = await openLedger(file, { lockWaitMs: 60_000 });
  if (outcome.status === 'refused') {
    console.log(`refused ${outcome.code}`);
    process.exit(1);
  }
  const payload = { name, n, text: 'x'.repeat(Number(bytes)) };
  const appended = outcome.ledger.append(outcome.head, [
    { event: 'packet.in', payload, timestamp: '2026-01-01T00:00:00.000Z' },
  ]);
  console.log(
    appended.status === 'appended' ? `durable ${appended.head.seq} ${name} ${n}` : `refused ${appended.code}`,
  );
  await outcome.ledger.close();
}
