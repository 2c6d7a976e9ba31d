/** `conference recover DIR`: receipt and proposals of an interrupted conference; changes nothing (07). */
import { resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { fail, print } from '../output.ts';
import { damagedProposal } from '../recovery/damaged.ts';
import { inspect } from '../recovery/inspect.ts';
import { receiptTime } from '../recovery/receipt-time.ts';
import { readAsWriter } from '../store/read-folder.ts';
import { readingChair } from '../store/reading-chair.ts';
import { proposalsText, receiptText } from '../views/recovery-view.ts';

export interface RecoverFlags {
  readonly json: boolean;
  /** ISO time to recover for; default now. */
  readonly at?: string;
}

export async function recover(context: CliContext, flags: RecoverFlags, folder = '.'): Promise<void> {
  const time = receiptTime(flags.at);
  if (!time.ok) return fail(context, flags, time.failure);
  const { at } = time;
  const path = resolve(context.cwd, folder);
  const found = await readAsWriter(path);
  if (!found.ok) {
    const { damaged, message } = found.failure;
    if (damaged === undefined) return fail(context, flags, found.failure);
    const proposals = [damagedProposal({ ...damaged, message })];
    print(context, flags, {
      document: { code: 'BLOCKED_STALE_CONFERENCE_STATE', receipt: null, proposals },
      words: () => proposalsText(proposals, folder),
    });
    return context.exit(exitCode.blocked);
  }
  const { chair, close } = readingChair(path, found.state);
  try {
    const tornBytes = found.running ? 0 : found.inFlightBytes;
    const inspection = await inspect(chair, {
      folder: path,
      head: found.head.digest,
      now: at ?? Date.now(),
      tornBytes,
      ...(at === undefined ? {} : { at }),
    });
    const { receipt, receipt_digest, proposals } = inspection;
    print(context, flags, {
      document: { receipt, receipt_digest, proposals },
      words: () => `${receiptText(receipt, receipt_digest)}\n${proposalsText(proposals, folder)}`,
    });
    if (receipt.stale_state !== 'current') context.exit(exitCode.blocked);
  } finally {
    close();
  }
}
