/**
 * Appending against the bare disk in the same run: one line against write + fdatasync, 64 lines against one
 * writev + fdatasync of the same lines made before. The ratio is of rates: 1 is the raw limit.
 */
import { closeSync, fdatasyncSync, openSync, writeSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLine, emptyHead } from '@x/ledger';
import { openLedger } from '@x/ledger/node';
import { interleave, report, rounded, sampleEntry, timed, withFolder } from './measure.mjs';

const rounds = 400;
const warmUp = 300;
const groupLines = 64;

await withFolder(async (folder) => {
  const opened = await openLedger(join(folder, 'ours.jsonl'));
  if (opened.status === 'refused') throw new Error(opened.message);
  const { ledger } = opened;
  const fd = openSync(join(folder, 'bare.jsonl'), 'w');
  let position = 0;
  let index = 0;

  const lineOf = (at) => {
    const line = encodeLine({ ...sampleEntry(at), seq: at + 1, prev: emptyHead.digest });
    if (line.status !== 'encoded') throw new Error(line.found);
    return Buffer.from(line.text);
  };
  const ours = (lines) => {
    const entries = Array.from({ length: lines }, () => sampleEntry(index++));
    return timed(() => {
      const outcome = ledger.append(ledger.head, entries);
      if (outcome.status === 'refused') throw new Error(outcome.message);
    });
  };
  const bare = (lines) => {
    const buffers = Array.from({ length: lines }, (_, at) => lineOf(index + at));
    return timed(() => {
      const [first] = buffers;
      if (lines === 1 && first !== undefined) position += writeSync(fd, first, 0, first.length, position);
      else position += writevSync(fd, buffers, position);
      fdatasyncSync(fd);
    });
  };

  for (let round = 0; round < warmUp; round++) {
    ours(groupLines);
    if (round % 10 === 0) bare(groupLines);
  }
  const single = interleave(rounds, { ours: () => ours(1), bare: () => bare(1) });
  const group = interleave(rounds, { ours: () => ours(groupLines), bare: () => bare(groupLines) });
  report({
    bench: 'ledger.append',
    ratio: rounded(single.bare / single.ours),
    aim: '>= 0.9',
    ours_us: Math.round(single.ours * 1000),
    bare_us: Math.round(single.bare * 1000),
  });
  report({
    bench: 'ledger.group-commit-64',
    ratio: rounded(group.bare / group.ours),
    aim: '>= 0.6',
    ours_us: Math.round(group.ours * 1000),
    bare_us: Math.round(group.bare * 1000),
  });
  closeSync(fd);
  await ledger.close();
});
