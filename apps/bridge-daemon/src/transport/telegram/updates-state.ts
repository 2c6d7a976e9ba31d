/**
 * What the way in must not forget, in one file: which updates were handled, and all that they caused and that is not
 * done yet. Both in one place, so that they are written in one stroke.
 *
 * U1 An update's effects and its place in the count are written together, before the server is told that it was handled:
 *    a kill leaves both or neither, and neither means that the update comes again.
 * U2 A file that cannot be read as a state is set aside, never written over. Updates then count from the first that the
 *    server still has; none is dropped.
 */
import { qidSchema } from '@x/bridge';
import { lstatSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { replaceFile, syncFolder } from '../../store/durable-write.ts';
import { wayInLimits } from './way-in-limits.ts';

const updatesVersion = 1;

const int = z.number().int();
const spotShape = { chat: int, topic: int.nullable(), message: int };
const pieceSchema = z.object({ message: int, text: z.string() });
/** `last_at`: when the last long piece was written, by Telegram's clock; `until`: when waiting ends, by ours. */
const joiningSchema = z.object({ last_at: int, until: int });

const answerSchema = z.object({
  qid: qidSchema,
  by: z.string().min(1),
  user: int,
  chat: int,
  topic: int.nullable(),
  via: z.enum(['message', 'draft', 'button']),
  /** What the answer file says of the time. */
  at: z.string(),
  /** Joined with nothing between; each with the message that holds it. For a button the message it hangs under. */
  pieces: z.array(pieceSchema).min(1),
  joining: joiningSchema.nullable(),
  /** Still to be written as it stands here. */
  due: z.boolean(),
  /** SHA-256 of every version that was written, or of which a kill left that in doubt; hex. */
  written: z.array(z.string()),
});
/** An answer on its way: to be written, or written and not known to be taken. */
export type AnswerOnTheWay = z.infer<typeof answerSchema>;

const draftSchema = z.object({
  by: z.string().min(1),
  user: int,
  chat: int,
  topic: int.nullable(),
  pieces: z.array(pieceSchema).min(1),
  joining: joiningSchema.nullable(),
  heard_at: int,
  /** The buttons offered with it. */
  buttons: z.array(z.object({ token: z.string(), qid: qidSchema })),
});
/** A bare text that waits for its question. */
export type Draft = z.infer<typeof draftSchema>;

const heardMessageSchema = z.object({
  chat: int,
  message: int,
  /** The question that it answered, or null. */
  qid: qidSchema.nullable(),
  /** Of its text. */
  digest: z.string(),
});

const buttonSchema = z.object({ text: z.string(), token: z.string() });
const textSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('reply'),
    ...spotShape,
    text: z.string(),
    buttons: z.array(buttonSchema),
    since: int,
  }),
  /** A message of ours that becomes this text, without buttons. */
  z.object({ do: z.literal('edit'), ...spotShape, text: z.string(), since: int }),
]);
/** A text that a person is still to be shown. */
export type OwedText = z.infer<typeof textSchema>;

const cancelSchema = z.object({ qid: qidSchema, by: z.string().min(1), ...spotShape });
export type OwedCancel = z.infer<typeof cancelSchema>;

const stateSchema = z.object({
  v: z.literal(updatesVersion),
  /** The id after the last update that was handled; null where none ever was. */
  offset: int.nullable(),
  /** When it was handled. */
  last_update_at: int.nullable(),
  recent_ids: z.array(int),
  answers: z.array(answerSchema),
  drafts: z.array(draftSchema),
  heard: z.array(heardMessageSchema),
  presses: z.array(z.object({ qid: qidSchema, user: int, text: z.string() })),
  albums: z.array(z.string()),
  cancels: z.array(cancelSchema),
  texts: z.array(textSchema),
});
export type UpdatesState = z.infer<typeof stateSchema>;

export const emptyState: UpdatesState = {
  v: updatesVersion,
  offset: null,
  last_update_at: null,
  recent_ids: [],
  answers: [],
  drafts: [],
  heard: [],
  presses: [],
  albums: [],
  cancels: [],
  texts: [],
};

/**
 * Whether this update was handled already: it comes again after a crash, and after a failover of the server. One far below
 * the count, or after a long silence, is none of these: ids start anew after a week, and on another server.
 */
export const isRepeated = (state: UpdatesState, updateId: number, now: number): boolean => {
  if (state.recent_ids.includes(updateId)) return true;
  const { offset, last_update_at: last } = state;
  if (offset === null || last === null || now - last > wayInLimits.idsCountMs) return false;
  return updateId < offset && offset - updateId <= wayInLimits.idsBehind;
};

/** The state in which this update is handled. */
export const withHandled = (state: UpdatesState, updateId: number, now: number): UpdatesState => ({
  ...state,
  offset: updateId + 1,
  last_update_at: now,
  recent_ids: [...state.recent_ids, updateId].slice(-wayInLimits.recentIds),
});

export type StateReading =
  | { readonly code: 'state'; readonly state: UpdatesState }
  | { readonly code: 'unreadable'; readonly detail: string };

/** Takes the file's text; gives the state, or why it is none. Never throws. */
export const readState = (text: string): StateReading => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would quote what people said.
    return { code: 'unreadable', detail: 'is not JSON' };
  }
  const version = z.object({ v: z.number() }).safeParse(value);
  if (version.success && version.data.v > updatesVersion)
    return { code: 'unreadable', detail: `was written by a newer version (v ${version.data.v})` };
  const parsed = stateSchema.safeParse(value);
  if (parsed.success) return { code: 'state', state: parsed.data };
  const [issue] = parsed.error.issues;
  return { code: 'unreadable', detail: `is no state: ${issue?.path.join('.') ?? ''} ${issue?.code ?? ''}` };
};

export interface StateFile {
  /**
   * The stored state, the empty one where there is none. An unreadable file is set aside and named in `damaged`.
   * Rejects with the system's error.
   */
  load(): Promise<{ readonly state: UpdatesState; readonly damaged: string | null }>;
  /** Survives a power cut when this settles. Rejects with the system's error, and then the state before is still there. */
  save(state: UpdatesState): Promise<void>;
}

const freeName = (path: string): string => {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${path}.damaged` : `${path}.damaged-${number}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
};

/** `scratchDir` is on the same disk. */
export const openStateFile = (path: string, scratchDir: string): StateFile => ({
  load: async () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { state: emptyState, damaged: null };
    const sane = stats.isFile() && stats.size <= wayInLimits.stateBytes;
    const reading: StateReading = sane
      ? readState(readFileSync(path, 'utf8'))
      : { code: 'unreadable', detail: 'is no file of a state' };
    if (reading.code === 'state') return { state: reading.state, damaged: null };
    const aside = freeName(path);
    renameSync(path, aside);
    return {
      state: emptyState,
      damaged: `${basename(path)} ${reading.detail}; it now is ${join(dirname(path), basename(aside))}`,
    };
  },
  save: async (state) => {
    await replaceFile(path, `${JSON.stringify(state)}\n`, scratchDir);
    await syncFolder(dirname(path));
  },
});
