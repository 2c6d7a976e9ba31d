/**
 * The labelled corpus as messages of children: hand-written sentences put into packets of every role, and messages
 * whose form is the point. Deterministic; nothing here is shipped.
 */
import { readFileSync } from 'node:fs';
import type { Charter, FailureCode, Role } from '@x/protocol';
import { stringify } from 'yaml';
import type { AdmissionContext, SecretScanner } from '../src/packets/index.ts';

export type Language = 'en' | 'de' | 'uk';
export type Label = 'accepted' | FailureCode;

export interface CorpusItem {
  readonly id: string;
  readonly language: Language;
  readonly expect: Label;
  readonly role: Role;
  readonly message: string;
  /** Written after the rules were tuned, and never tuned on. */
  readonly held: boolean;
}

export const SELF = '01J9ZQ4V7N3K8M2R5T6W8X9Y0S';
export const LANE_A = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';
export const LANE_B = '01J9ZQ4V7N3K8M2R5T6W8X9Y0B';
const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

/** Assembled here, so that no file of the repository holds anything that looks like a secret. */
const SECRETS: Readonly<Record<string, string>> = {
  github: ['ghp', 'R4nd0mL00kingT0kenF0rTheC0rpus12345678'].join('_'),
  aws: ['AKIA', 'Q7CORPUSEXAMPLE2'].join(''),
  pem: ['-----BEGIN RSA', 'PRIVATE KEY----- MIIEpAIBAAKCAQEA'].join(' '),
  escaped: ['\\u0067hp', 'R4nd0mL00kingT0kenF0rTheC0rpus12345678'].join('_'),
};

/** Stands for the real scanner, which is an app's: the few formats that the corpus plants. */
export const corpusScanner: SecretScanner = {
  name: 'corpus',
  version: '1',
  scan: (text) =>
    Promise.resolve(
      [...text.matchAll(/ghp_[A-Za-z0-9]{36,}|AKIA[A-Z0-9]{16}|-----BEGIN [A-Z ]*PRIVATE KEY-----/gu)].map(
        ({ index }) => ({ rule: 'planted', offset: index }),
      ),
    ),
};

export function charterFor(role: Role): Charter {
  // A charter as the core would build it; made by hand, since only admission is under test.
  return {
    dispatch_id: SELF,
    conference_id: '01J9ZQ4V7N3K8M2R5T6W8X9Y0Z',
    instructions: `${role}/1`,
    round: 2,
    role,
    ...(role === 'researcher' ? { lane: 'A', iteration_allowance: 3 } : {}),
    objective: 'Find the smallest lossless encoding of the file.',
    success_definition: { mode: 'metric', criteria: [] },
    read_context: [1, 2, 3, 4].map((number) => ({
      id: `E${number}`,
      digest: digest(String(number)),
      source: `excerpt ${number}`,
      excerpt: number === 4 ? `earlier rounds: ${LANE_A}, ${LANE_B}` : 'text',
    })),
    allowed_read_roots: ['/srv/data'],
    forbidden_actions: [
      'write shared or project state',
      'delegate another child',
      'use credentials or host configuration',
      'publish, deploy, release, commit, push, or mutate Git history',
    ],
    delegation_allowed: false,
    deadline: '2026-11-30T12:00:00.000Z',
    cancellation: 'Stop.',
    output: 'packet schema only',
    output_schema: {},
  } as unknown as Charter;
}

const claims = [
  { claim: 'Quality 11 gives 41,207 bytes.', evidence: 'Three runs.', confidence: 'high' as const },
];
const measurements = [{ name: 'size', value: '41207 B', provenance: 'mean' }];
export const corpusLinks: AdmissionContext = {
  research: [LANE_A, LANE_B],
  packetsOf: () =>
    [LANE_A, LANE_B].map((dispatch_id) => ({
      dispatch_id,
      packet: { status: 'completed', claims, measurements },
    })),
  refs: [`${LANE_A}#c1`, `${LANE_B}#c1`],
};

type Json = Record<string, unknown>;
const folder = new URL('../src/packets/corpus/', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const lines = (name: string): Json[] =>
  text(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

const ROLE_OF: Readonly<Record<string, Role>> = {
  summary: 'poster',
  agreements: 'poster',
  conflicts: 'poster',
  missing_evidence: 'poster',
  review_questions: 'poster',
  reason: 'reviewer',
  verification_requests: 'reviewer',
  finding: 'synthesis',
  next_decisions: 'synthesis',
  contradictions: 'synthesis',
};
const LIST_OF: Readonly<Record<string, readonly string[]>> = {
  claim: ['claims', 'verdicts'],
  evidence: ['claims', 'hypotheses', 'verdicts'],
  statement: ['hypotheses'],
  provenance: ['measurements'],
  reason: ['verdicts'],
  summary: ['summaries'],
  finding: ['established', 'negative_results'],
};

/** Puts a sentence where a model would have written it: beside what the packet says already. */
function put(packet: Json, field: string, sentence: string, turn: number): void {
  const own = packet[field];
  if (Array.isArray(own)) own.push(sentence);
  else {
    const lists = (LIST_OF[field] ?? []).map((name) => packet[name]).filter((list) => Array.isArray(list));
    const entries = lists.flat() as Json[];
    const entry = entries[turn % entries.length];
    if (entry === undefined) throw new Error(`no ${field} in this packet`);
    entry[field] = sentence;
  }
}

const FORMS = [
  '{{json}}',
  '```json\n{{json}}\n```',
  'Here is my packet.\n\n{{compact}}',
  '```yaml\n{{yaml}}```',
  'Done.\n\n~~~json\n{{json}}\n~~~\n',
];

function fill(template: string): string {
  return template
    .replaceAll('{{SELF}}', SELF)
    .replaceAll('{{A}}', LANE_A)
    .replaceAll('{{B}}', LANE_B)
    .replaceAll('{{UNKNOWN}}', '01J9ZQ4V7N3K8M2R5T6W8X9Y0X')
    .replaceAll('{{DIGEST1}}', digest('1'))
    .replaceAll('{{DIGEST9}}', digest('9'))
    .replace(/\{\{SECRET:(\w+)\}\}/gu, (_, name: string) => SECRETS[name] ?? '');
}

function render(form: string, packet: Json, edit: readonly [string, string] | null): string {
  const edited = (body: string): string =>
    edit === null ? body : body.replace(fill(edit[0]), () => fill(edit[1]));
  const json = JSON.stringify(packet, null, 2);
  return fill(form)
    .replaceAll('{{json}}', () => edited(json))
    .replaceAll('{{compact}}', () => edited(JSON.stringify(packet)))
    .replaceAll('{{crlf}}', () => edited(json.replaceAll('\n', '\r\n')))
    .replaceAll('{{escaped}}', () => JSON.stringify(edited(JSON.stringify(packet))))
    .replaceAll('{{yaml}}', () => edited(stringify(packet, { lineWidth: 0 })));
}

/** Every item of the corpus, in the order of its files. */
export function readCorpus(): CorpusItem[] {
  const bases = JSON.parse(fill(text('bases.json'))) as Record<Language, Record<Role, Json>>;
  const base = (language: Language, role: Role): Json => structuredClone(bases[language][role]);
  const items: CorpusItem[] = [];
  for (const language of ['en', 'de', 'uk'] as const) {
    for (const held of [false, true]) {
      lines(`${held ? 'held' : 'sentences'}-${language}.jsonl`).forEach((line, turn) => {
        const field = String(line['field']);
        const role =
          ROLE_OF[field] ??
          (['claim', 'evidence'].includes(field) && turn % 4 === 3 ? 'reviewer' : 'researcher');
        const packet = base(language, role);
        put(packet, field, fill(String(line['text'])), turn);
        const message = render(FORMS[turn % FORMS.length] ?? '{{json}}', packet, null);
        items.push({
          id: String(line['id']),
          language,
          expect: line['expect'] as Label,
          role,
          message,
          held,
        });
      });
    }
  }
  for (const line of lines('messages.jsonl')) {
    const language = line['language'] as Language;
    const role = (line['role'] ?? 'researcher') as Role;
    const edit = (line['edit'] ?? null) as readonly [string, string] | null;
    const message =
      render(String(line['message']), base(language, role), edit) + ' '.repeat(Number(line['pad'] ?? 0));
    items.push({
      id: String(line['id']),
      language,
      expect: line['expect'] as Label,
      role,
      message,
      held: false,
    });
  }
  return items;
}
