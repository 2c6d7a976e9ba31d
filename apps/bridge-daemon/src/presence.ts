/** The daemon as a peer: what a prompt, a cancel and a ping become (source 004 user-remote topology, 04 Wire). */
import { createHash } from 'node:crypto';
import {
  english,
  invalidQidError,
  parseQid,
  questionOf,
  questionTimeoutMs,
  type Asker,
  type Daemon,
  type Qid,
} from '@x/bridge';
import {
  accepted,
  promptDetails,
  readPromptText,
  type Cancel,
  type Prompt,
  type Verdict,
} from '@x/coms-envelope';
import { judgeEndpoint, senderOf, type Coms } from '@x/coms-envelope/node';
import type { QuestionDesk } from './questions/question-desk.ts';
import type { QuestionTransport } from './transport/question-transport.ts';

export const purpose = 'Remote human via Hermes/Telegram';

interface PresenceParts {
  readonly coms: Coms;
  readonly daemon: Daemon;
  readonly desk: QuestionDesk;
  readonly transport: QuestionTransport;
  readonly flagMs: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const refused = (error: string): Verdict => ({ ok: false, error });

const askerOf = (coms: Coms, prompt: Prompt, project: string): Asker => {
  const sender = senderOf(coms, prompt, project);
  return {
    name: sender.name === '' ? null : sender.name,
    cwd: sender.cwd === '' ? null : sender.cwd,
    project: sender.project,
    session: promptDetails(prompt).senderSession ?? null,
    endpoint: prompt.sender_endpoint,
    hops: prompt.hops,
  };
};

/** Acks a prompt that is stored, or says why it is not asked. Never rejects. */
export const takePrompt = async (parts: PresenceParts, prompt: Prompt): Promise<Verdict> => {
  const { coms, daemon, desk, transport, flagMs, env } = parts;
  const qid = parseQid(prompt.msg_id);
  if (qid === null) return refused(invalidQidError);
  const judged = judgeEndpoint(coms, prompt.sender_endpoint);
  if (!judged.ok && judged.code === 'ENDPOINT_REFUSED')
    return refused(`no answer could be sent to sender_endpoint: ${judged.message}`);
  const asker = askerOf(coms, prompt, daemon.project);
  const question = questionOf(readPromptText(prompt.prompt), asker, english);
  const promptMs = promptDetails(prompt).replyTimeoutMs ?? null;
  const timeoutMs = questionTimeoutMs({ flagMs, env: env['PI_COMS_TIMEOUT_MS'], promptMs });
  const why = transport.refusal({ qid, question, project: daemon.project, repeat: false, timeoutMs });
  if (why !== null) return refused(why);
  const asked = await desk.ask({
    qid,
    daemon,
    asker,
    prompt_digest: createHash('sha256').update(prompt.prompt).digest('hex'),
    question,
    timeout_ms: timeoutMs,
  });
  return asked.code === 'taken' ? accepted : refused(asked.error);
};

/** The open question that a cancel names, or null: then it changes nothing. */
export const cancelledQid = (desk: QuestionDesk, cancel: Cancel): Qid | null => {
  const qid = parseQid(cancel.ref_msg_id);
  return qid !== null && desk.held(qid) !== null ? qid : null;
};
