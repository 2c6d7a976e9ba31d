/**
 * One question as it is stored: one file, read back by the version that wrote it or a later one (05 Nothing a person
 * said is lost). A newer `v` is named, never guessed at.
 */
import * as z from 'zod';
import { owedSchema } from './owed.ts';
import { qidSchema } from './qid.ts';
import { questionSchema } from './question.ts';
import { responseEnvelopeSchema } from './response.ts';
import { isOpen, openStates, terminalStates } from './transitions.ts';

export const recordVersion = 1;

const isoSchema = z.string().refine((at) => !Number.isNaN(Date.parse(at)), 'is no timestamp');

/** Which daemon asks: its name in its project of its coms folder. A restart is the same daemon. */
export const daemonSchema = z.object({ name: z.string(), project: z.string(), coms_dir: z.string() });
export type Daemon = z.infer<typeof daemonSchema>;

/** Who asks. Name, project and cwd say who it is; session and endpoint only where it is now. */
export const askerSchema = z.object({
  name: z.string().nullable(),
  cwd: z.string().nullable(),
  project: z.string(),
  session: z.string().nullable(),
  endpoint: z.string(),
  hops: z.number(),
});
export type Asker = z.infer<typeof askerSchema>;

export const outcomeSchema = z.object({
  kind: z.enum([...terminalStates, 'delivery_error']),
  at: isoSchema,
  /** The whole answer as the file gave it. */
  answer: z.object({ answer: z.string(), answered_by: z.string(), at: z.string() }).optional(),
  /** Who cancelled it, where it was not the console. */
  by: z.string().optional(),
  /** The transport's message; `ambiguous`: the question may have been sent all the same. */
  message: z.string().optional(),
  ambiguous: z.boolean().optional(),
  /** What the asker is told; a cancel from the console tells it nothing. */
  envelope: responseEnvelopeSchema.optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** Why a record lies in `undelivered/`, and answers that came to a question that could no longer take them. */
export const keptSchema = z.object({
  reason: z.enum(['asker_unreachable', 'too_long', 'delivery_error', 'abandoned']),
  at: isoSchema,
  answers: z.array(
    z.object({ answer: z.string(), answered_by: z.string(), at: z.string(), digest: z.string() }),
  ),
});
export type Kept = z.infer<typeof keptSchema>;

export const recordSchema = z.object({
  v: z.literal(recordVersion),
  qid: qidSchema,
  daemon: daemonSchema,
  asker: askerSchema,
  /** SHA-256 of the prompt's text, hex. */
  prompt_digest: z.string(),
  question: questionSchema,
  asked_at: isoSchema,
  timeout_ms: z.number().int().min(1),
  deadline: isoSchema,
  state: z.enum([...openStates, ...terminalStates]).nullable(),
  outcome: outcomeSchema.optional(),
  /** SHA-256 of the accepted answer file's bytes, hex. */
  answer_digest: z.string().optional(),
  kept: keptSchema.optional(),
  /** The transport's names of the messages that hold the question. */
  message_ids: z.array(z.string()),
  owed: z.array(owedSchema),
});
export type QuestionRecord = z.infer<typeof recordSchema>;

export type RecordReading =
  | { readonly code: 'record'; readonly record: QuestionRecord }
  | { readonly code: 'newer'; readonly v: number }
  /** A power cut came before its bytes were on the disk: as good as not there. */
  | { readonly code: 'unfinished' }
  | { readonly code: 'damaged'; readonly detail: string };

const versionSchema = z.object({ v: z.number().int().min(1) });

/** Takes a record file's text; gives the record, the newer version it has, or what is wrong with it. */
export const readRecord = (text: string): RecordReading => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Every record ends in a line feed, and none holds NUL: a power cut leaves its beginning, or a hole.
    if (!text.endsWith('\n') || text.includes('\0')) return { code: 'unfinished' };
    return { code: 'damaged', detail: error instanceof Error ? error.message : 'is not JSON' };
  }
  const version = versionSchema.safeParse(value);
  if (version.success && version.data.v > recordVersion) return { code: 'newer', v: version.data.v };
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return { code: 'record', record: parsed.data };
  const [issue] = parsed.error.issues;
  return { code: 'damaged', detail: issue ? `${issue.path.join('.')}: ${issue.message}` : 'is no record' };
};

export interface RecordParts {
  /** What stays the same while a question is put, answered and settled, and its outcome. */
  readonly front: string;
  /** State, messages and outbox, and the line feed at the end: all that performing what is owed changes. */
  readonly tail: string;
}

/** The text of a record in two parts: what changes most often stands last, so that a store can overwrite it alone. */
export const recordParts = (record: QuestionRecord): RecordParts => {
  const { state, message_ids, owed, ...front } = record;
  return {
    front: `${JSON.stringify(front).slice(0, -1)},`,
    tail: `${JSON.stringify({ state, message_ids, owed }).slice(1)}\n`,
  };
};

export const recordText = (record: QuestionRecord): string => {
  const { front, tail } = recordParts(record);
  return front + tail;
};

export type Placement = 'pending' | 'closed' | 'undelivered';

/** The one folder a record belongs in: a pure function of the record, so a restart can finish a cut-off move. */
export const placementOf = (record: QuestionRecord): Placement => {
  if (isOpen(record.state)) return 'pending';
  return record.kept === undefined ? 'closed' : 'undelivered';
};

export const sameDaemon = (one: Daemon, other: Daemon): boolean =>
  one.name === other.name && one.project === other.project && one.coms_dir === other.coms_dir;

/** Name, project and cwd decide; an asker that gives no name is only its session, or failing that its endpoint (05). */
export const sameAsker = (one: Asker, other: Asker): boolean => {
  if (one.project !== other.project || one.name !== other.name || one.cwd !== other.cwd) return false;
  if (one.name !== null) return true;
  return one.session === null ? one.endpoint === other.endpoint : one.session === other.session;
};
