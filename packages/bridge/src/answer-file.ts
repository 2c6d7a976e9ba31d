/**
 * Judging a file in the questions folder (source 004 Answer-file path, schema, and validation).
 *
 * The six reasons are a table, read from the top: the first that holds is the one given. A fact that costs something to
 * find out (whose question it is, what the file holds) is asked for only when a rule needs it, so a stranger's file, a
 * FIFO or 100 MB are never opened.
 */
import * as z from 'zod';
import { limits } from './limits.ts';
import { qidSchema, parseQid, type Qid } from './qid.ts';

export const rejectionReasons = [
  'invalid_path',
  'invalid_qid',
  'foreign_qid',
  'invalid_json',
  'invalid_schema',
  'qid_mismatch',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export const answerSuffix = '.answer.json';
export const answerFileName = (qid: Qid): string => qid + answerSuffix;

/** The wire schema. `answered_by` is any non-empty string (05); unknown fields are allowed. */
export const answerSchema = z.object({
  qid: qidSchema,
  answer: z.string(),
  answered_by: z.string().min(1),
  at: z.string().refine((at) => !Number.isNaN(Date.parse(at)), 'is no timestamp'),
});
export type Answer = z.infer<typeof answerSchema>;

/** Whose question a qid is: ours, another daemon's to handle, or nobody's. */
export type Standing = 'ours' | 'elsewhere' | 'nobody';

export type AnswerContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  /** `cutAtEnd`: all but an unfinished last character is UTF-8, as in a file still being written. */
  | { readonly kind: 'not_utf8'; readonly cutAtEnd: boolean };

export interface AnswerCandidate {
  readonly name: string;
  /** A regular file of our own user, or anything else (link, folder, device, FIFO, somebody else's file). */
  readonly entry: 'file' | 'other';
  readonly standing?: Standing;
  readonly content?: AnswerContent;
}

export type AnswerVerdict =
  | { readonly code: 'accepted'; readonly qid: Qid; readonly answer: Answer }
  /** `graced`: only to be carried out once the grace window is over; until then the file may still become good. */
  | {
      readonly code: 'rejected';
      readonly reason: RejectionReason;
      readonly graced: boolean;
      readonly detail: string;
    }
  | { readonly code: 'left_alone'; readonly qid: Qid }
  /** The same candidate is to be judged again with this fact. */
  | { readonly code: 'needs'; readonly fact: 'standing' | 'content'; readonly qid: Qid };

/** The qid a file name claims, or null. */
export const answerFileQid = (name: string): Qid | null =>
  name.endsWith(answerSuffix) ? parseQid(name.slice(0, -answerSuffix.length)) : null;

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly detail: string };

const parseJson = (text: string): Parsed => {
  try {
    return { ok: true, value: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : 'is not JSON' };
  }
};

/** What the content rules see: the file read once, as far as it can be read. */
interface Reading {
  readonly candidate: AnswerCandidate;
  readonly qid: Qid | null;
  readonly parsed: Parsed | null;
  readonly checked: z.ZodSafeParseResult<Answer> | null;
}

interface Rule {
  readonly reason: RejectionReason;
  readonly source: string;
  readonly needs?: 'standing' | 'content';
  readonly graced?: true;
  /** Why the file breaks this rule, or null where it keeps it. */
  readonly breaks: (reading: Reading) => string | null;
}

const answerRules: readonly Rule[] = [
  {
    reason: 'invalid_path',
    source: '004 Answer-file; 05 contract v1 (grace for a writer’s temporary file)',
    graced: true,
    breaks: ({ candidate }) =>
      candidate.name.endsWith(answerSuffix) ? null : `the name does not end in ${answerSuffix}`,
  },
  {
    reason: 'invalid_path',
    source: '05 Nothing a person said is lost',
    breaks: ({ candidate }) => (candidate.entry === 'file' ? null : 'not a regular file of this user'),
  },
  {
    reason: 'invalid_qid',
    source: '004 Answer-file',
    breaks: ({ qid }) => (qid === null ? 'the name holds no 26-character Crockford ULID' : null),
  },
  {
    reason: 'foreign_qid',
    source: '004 Answer-file; 05 Nothing a person said is lost',
    needs: 'standing',
    breaks: ({ candidate }) => (candidate.standing === 'nobody' ? 'nobody here asked this question' : null),
  },
  {
    reason: 'invalid_json',
    source: '004 Answer-file (grace for a partial write)',
    needs: 'content',
    graced: true,
    breaks: ({ parsed }) => (parsed === null || parsed.ok ? null : parsed.detail),
  },
  {
    reason: 'invalid_schema',
    source: '05 Nothing a person said is lost (a cut last character gets the grace window)',
    needs: 'content',
    graced: true,
    breaks: ({ candidate: { content } }) =>
      content?.kind === 'not_utf8' && content.cutAtEnd ? 'ends inside a UTF-8 character' : null,
  },
  {
    reason: 'invalid_schema',
    source: '05 Nothing a person said is lost',
    needs: 'content',
    breaks: ({ candidate: { content } }) => {
      if (content?.kind === 'too_large') return `larger than ${limits.answerFileBytes} bytes`;
      return content?.kind === 'not_utf8' ? 'is not UTF-8' : null;
    },
  },
  {
    reason: 'invalid_schema',
    source: '004 Answer-file',
    needs: 'content',
    breaks: ({ checked }) =>
      checked === null || checked.success
        ? null
        : checked.error.issues
            .map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`)
            .join('; '),
  },
  {
    reason: 'qid_mismatch',
    source: '004 Answer-file',
    needs: 'content',
    breaks: ({ checked, qid }) =>
      checked?.success === true && checked.data.qid !== qid ? `the body says ${checked.data.qid}` : null,
  },
];

const read = (candidate: AnswerCandidate): Reading => {
  const { content } = candidate;
  const parsed = content?.kind === 'text' ? parseJson(content.text) : null;
  const checked = parsed?.ok === true ? answerSchema.safeParse(parsed.value) : null;
  return { candidate, qid: answerFileQid(candidate.name), parsed, checked };
};

/** Takes what is known of a file; gives the verdict, or the next fact it needs. Never throws. */
export const judgeAnswerFile = (candidate: AnswerCandidate): AnswerVerdict => {
  const reading = read(candidate);
  const { qid, checked } = reading;
  for (const rule of answerRules) {
    if (qid !== null && rule.needs !== undefined && candidate[rule.needs] === undefined)
      return { code: 'needs', fact: rule.needs, qid };
    const detail = rule.breaks(reading);
    if (detail !== null)
      return { code: 'rejected', reason: rule.reason, graced: rule.graced === true, detail };
    if (qid !== null && rule.needs === 'standing' && candidate.standing === 'elsewhere')
      return { code: 'left_alone', qid };
  }
  if (qid === null || checked?.success !== true) throw new Error('an answer rule let an unread file through');
  return { code: 'accepted', qid, answer: checked.data };
};
