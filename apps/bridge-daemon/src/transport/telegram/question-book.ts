/**
 * What was sent, so that nothing is asked three times and an outcome finds its message: one file a question in `sent/`.
 *
 * J1 A sending stands in the book before it begins. A kill leaves it there without a message id, and that means: perhaps.
 * J2 A sending that surely was not carried out is taken out again.
 * J3 The book outlives its question: an outcome is shown, and a late press understood, days later.
 * J4 A file that cannot be read is set aside and said once; it ends nothing.
 *
 * Files are written whole and renamed, without waiting for the disk: a kill loses nothing. After a power cut a question
 * may be asked once more, marked as a repeat, because its record says that it may have been sent.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseQid, qidSchema, type Qid } from '@x/bridge';
import * as z from 'zod';
import type { Logger } from '../../log/operational-log.ts';
import { optionToken } from './keyboard.ts';
import type { QuestionBook } from './ports.ts';
import { telegramLimits } from './telegram-limits.ts';

const bookVersion = 1;

const sendingSchema = z.object({
  /** From 1. */
  part: z.number().int().min(1),
  parts: z.number().int().min(1),
  /** Whether it was marked as one. */
  repeat: z.boolean(),
  chat: z.number().int(),
  topic: z.number().int().nullable(),
  /** ISO time. */
  begun_at: z.string(),
  /** Null: whether it was carried out is not known. */
  message_id: z.number().int().nullable(),
});
export type Sending = z.infer<typeof sendingSchema>;

const entrySchema = z.object({
  v: z.literal(bookVersion),
  qid: qidSchema,
  options: z.number().int().min(0),
  sends: z.array(sendingSchema),
});
type Entry = z.infer<typeof entrySchema>;

const movedSchema = z.object({ v: z.literal(bookVersion), moved: z.record(z.string(), z.number().int()) });

/** A group can move once; more than this in a row is a circle. */
const movesMax = 8;

export interface SentBook extends QuestionBook {
  /** All sendings of a question, in order. */
  sendings(qid: Qid): readonly Sending[];
  /** Throws where it cannot be stored: then it must not be sent. */
  begin(qid: Qid, options: number, sending: Omit<Sending, 'begun_at' | 'message_id'>): Sending;
  /** It lies there. Never throws, whatever the disk says. */
  confirm(qid: Qid, sending: Sending, at: { readonly chat: number; readonly messageId: number }): void;
  /** It surely was not carried out. Never throws. */
  drop(qid: Qid, sending: Sending): void;
  /** Forgets what is old or too much, but nothing of a question that is open. Never throws. */
  prune(isOpen: (qid: Qid) => boolean): void;
}

interface BookOptions {
  /** The transport's own folder of the state; made where it is missing. */
  readonly folder: string;
  readonly log: Logger;
  readonly now?: () => number;
}

const suffix = '.json';
const folderMode = 0o700;
const fileMode = 0o600;

const put = (path: string, value: unknown): void => {
  const scratch = `${path}.new`;
  writeFileSync(scratch, `${JSON.stringify(value)}\n`, { mode: fileMode });
  renameSync(scratch, path);
};

const place = (chat: number, messageId: number): string => `${chat}:${messageId}`;

/** Gives what a file holds, null where there is none; what cannot be read is set aside. */
const readStored = <Value>(path: string, schema: z.ZodType<Value>, log: Logger): Value | null => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  try {
    if (!stats.isFile()) throw new Error('is not a regular file');
    if (stats.size > telegramLimits.bookBytes) throw new Error(`has ${stats.size} bytes`);
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    log.error({ path, why }, 'a file about messages sent cannot be read and is set aside as .damaged');
    try {
      renameSync(path, `${path}.damaged`);
    } catch (failure) {
      log.error({ path, err: failure }, 'it cannot be set aside either and stays');
    }
    return null;
  }
};

/** Reads what there is. Throws where the folder cannot be made or listed. */
export const openQuestionBook = ({ folder, log, now = Date.now }: BookOptions): SentBook => {
  const sent = join(folder, 'sent');
  mkdirSync(sent, { recursive: true, mode: folderMode });
  const movedPath = join(folder, 'moved.json');
  const entries = new Map<Qid, Entry>();
  const options = new Map<string, { readonly qid: Qid; readonly index: number }>();
  const places = new Map<string, Qid>();
  const moved = new Map<number, number>();
  let movesStored = true;

  const pathOf = (qid: Qid): string => join(sent, qid + suffix);

  const remember = (entry: Entry): void => {
    const { qid } = entry;
    if (!entries.has(qid))
      for (let index = 0; index < entry.options; index += 1)
        options.set(optionToken(qid, index), { qid, index });
    entries.set(qid, entry);
    for (const { chat, message_id } of entry.sends)
      if (message_id !== null) places.set(place(chat, message_id), qid);
  };

  const forget = (entry: Entry): void => {
    const { qid, sends } = entry;
    entries.delete(qid);
    for (let index = 0; index < entry.options; index += 1) options.delete(optionToken(qid, index));
    for (const { chat, message_id } of sends) if (message_id !== null) places.delete(place(chat, message_id));
    rmSync(pathOf(qid), { force: true });
  };

  const store = (entry: Entry): void => {
    put(pathOf(entry.qid), entry);
    remember(entry);
  };

  /** What memory says counts until the next write succeeds. */
  const storeOrReport = (entry: Entry): void => {
    remember(entry);
    try {
      put(pathOf(entry.qid), entry);
    } catch (error) {
      log.error({ err: error, qid: entry.qid }, 'what became of a message could not be stored');
    }
  };

  const changed = (qid: Qid, change: (sends: readonly Sending[]) => Sending[]): void => {
    const entry = entries.get(qid);
    if (entry !== undefined) storeOrReport({ ...entry, sends: change(entry.sends) });
  };

  const confirm: SentBook['confirm'] = (qid, sending, { chat, messageId }) =>
    changed(qid, (sends) =>
      sends.map((other) => (other === sending ? { ...sending, chat, message_id: messageId } : other)),
    );

  for (const file of readdirSync(sent).toSorted()) {
    const qid = file.endsWith(suffix) ? parseQid(file.slice(0, -suffix.length)) : null;
    if (qid !== null) {
      const entry = readStored(join(sent, file), entrySchema, log);
      if (entry !== null) remember({ ...entry, qid });
    } else if (file.endsWith('.new')) rmSync(join(sent, file), { force: true });
  }
  const known = readStored(movedPath, movedSchema, log);
  for (const [from, to] of Object.entries(known?.moved ?? {})) moved.set(Number(from), to);

  const currentChat = (chat: number): number => {
    let current = chat;
    for (let moves = 0; moves < movesMax; moves += 1) current = moved.get(current) ?? current;
    return current;
  };

  return {
    optionOf: (token) => options.get(token) ?? null,
    qidOf: (chat, messageId) => places.get(place(chat, messageId)) ?? null,
    met: (qid, { chat, messageId }, pressed) => {
      if (places.has(place(chat, messageId))) return;
      // Buttons hang under a last part; which part a reply is to, only a question of one part tells.
      const copy = entries
        .get(qid)
        ?.sends.find(
          ({ part, parts, message_id }) => message_id === null && part === parts && (pressed || parts === 1),
        );
      if (copy !== undefined) confirm(qid, copy, { chat, messageId });
    },
    currentChat,
    moved: async (from, to) => {
      const isNew = from !== to && moved.get(from) !== to;
      if (!isNew && movesStored) return;
      if (isNew) {
        moved.set(from, to);
        log.warn({ from, to }, 'the group has become a supergroup and is followed');
      }
      movesStored = false;
      put(movedPath, { v: bookVersion, moved: Object.fromEntries(moved) });
      movesStored = true;
    },
    sendings: (qid) => entries.get(qid)?.sends ?? [],
    begin: (qid, count, sending) => {
      const entry = entries.get(qid) ?? { v: bookVersion, qid, options: count, sends: [] };
      const begun: Sending = { ...sending, begun_at: new Date(now()).toISOString(), message_id: null };
      store({ ...entry, sends: [...entry.sends, begun] });
      return begun;
    },
    confirm,
    drop: (qid, sending) => changed(qid, (sends) => sends.filter((other) => other !== sending)),
    prune: (isOpen) => {
      const ended = [...entries.values()].filter(({ qid }) => !isOpen(qid));
      const begunAt = ({ sends }: Entry): number => Date.parse(sends.at(-1)?.begun_at ?? '') || 0;
      const newestFirst = ended.toSorted((one, other) => begunAt(other) - begunAt(one));
      const oldest = now() - telegramLimits.bookedMs;
      newestFirst.forEach((entry, index) => {
        if (index < telegramLimits.bookedQuestions && begunAt(entry) >= oldest) return;
        try {
          forget(entry);
        } catch (error) {
          log.warn({ err: error, qid: entry.qid }, 'an old file about messages sent cannot be removed');
        }
      });
    },
  };
};
