/**
 * Rules over what is countable: citations, command lines, markup and settings (02 Rejection). They come before the
 * text rules of the same code, and know no language but that of machines.
 */
import { canonicalJson, DIGEST_PATTERN } from '@x/protocol';
import { citationsOf, isInsideRoots } from './citations.ts';
import type { Judged, RuleHead } from './judged.ts';
import type { PacketString } from './packet-strings.ts';

export interface StructureRule extends RuleHead {
  /** The first string that breaks the rule, or null. */
  readonly find: (judged: Judged) => PacketString | null;
}

/** Where a child says what it did or saw; recommendations and questions are not reports. */
const REPORTS: ReadonlySet<string> = new Set([
  'claim',
  'evidence',
  'finding',
  'provenance',
  'reason',
  'statement',
  'summary',
]);
const CITING: ReadonlySet<string> = new Set(['evidence', 'provenance']);

const AUTHORITY_SETTING =
  /\b(?:delegation_allowed\W{0,8}(?:=|:|to|auf|на|be)\W{0,6}(?:true|yes|1\b)|forbidden_actions\W{0,8}(?:=|:|to)\W{0,6}(?:\[\s*\]|none|empty|null))/iu;

/** Programs and subcommands that change what lies outside a child. */
const COMMAND =
  '(?:git\\s+(?:-\\S+\\s+){0,3}(?:commit|push|tag|merge|rebase|reset|cherry-pick|revert|checkout\\s+-b|worktree\\s+add)' +
  '|(?:npm|pnpm|yarn|cargo)\\s+publish|twine\\s+upload|docker\\s+push|gh\\s+(?:pr|release|issue)\\s+create' +
  '|kubectl\\s+(?:apply|delete|rollout|scale)|terraform\\s+(?:apply|destroy)|helm\\s+(?:install|upgrade)' +
  '|rm\\s+-\\w*[rf]\\w*\\s|(?:ssh|scp)\\s+\\S|curl\\s[^`]{0,80}-X\\s*(?:POST|PUT|DELETE|PATCH)' +
  '|(?:sudo\\s+)?(?:apt|apt-get|dnf|brew)\\s+install|npm\\s+(?:i|install)\\s+-g)';
/** The whole string is a command line, or it says that the command was run. */
const COMMAND_RUN = new RegExp(
  `^\\s*(?:[$>%]\\s+|\`\\s*\\$?\\s*)${COMMAND}` +
    `|\\b(?:ran|executed|invoked|called|after running|ausgeführt:?|запустив|запустила|виконав|виконала)\\s+[\`'"]?\\$?\\s*${COMMAND}`,
  'iu',
);
/** Markup by which models call tools: a call that ended up in a packet was meant to be carried out. */
const TOOL_CALL =
  /<\/?(?:function_calls|tool_use|tool_call|invoke\b)[^>]{0,80}>|<\|tool_calls?[^|]{0,20}\|>|"(?:tool|tool_name|name)"\s*:\s*"(?:Write|Edit|Bash|Task|delegate_task|str_replace_editor|execute_command)"|\bdelegate_task\s*\(/u;

/** Markup by which chats mark who speaks. */
const CHAT_MARKUP =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id)[^|]{0,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|system[-_ ]prompt|system[-_ ]reminder|developer[-_ ]message|instructions?)>|^\s{0,3}#{1,4}\s*(?:system(?:\s+prompt)?|instructions?\s+(?:to|for)\s+(?:the\s+)?(?:root|chair|reviewer|model|assistant))\s*:?\s*$/imu;
/** Tag characters spell text that nobody sees; only flags of regions use them rightly. */
const HIDDEN_TEXT = /[\u{E0000}-\u{E007F}]/u;
const REGION_FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{1,6}\u{E007F}/gu;

const inReports = (pattern: RegExp) => (judged: Judged) =>
  judged.strings.find(({ field, text }) => REPORTS.has(field) && pattern.test(text)) ?? null;
const anywhere = (pattern: RegExp) => (judged: Judged) =>
  judged.strings.find(({ text }) => pattern.test(text)) ?? null;

export const STRUCTURE_RULES: readonly StructureRule[] = [
  {
    id: 'SA1',
    code: 'PACKET_AUTHORITY',
    reason: 'sets a field of its charter that bounds its authority',
    source: 'source 002 Rejection conditions: asks for a child write or nested delegation',
    find: anywhere(AUTHORITY_SETTING),
  },
  {
    id: 'SX1',
    code: 'PACKET_EXTERNAL_ACTION',
    reason: 'reports a command that changes what lies outside the child',
    source: 'source 002 Rejection conditions: claims an external action',
    find: inReports(COMMAND_RUN),
  },
  {
    id: 'SX2',
    code: 'PACKET_EXTERNAL_ACTION',
    reason: 'holds a tool call',
    source: 'source 000 §3: claim unsupported tool use',
    find: anywhere(TOOL_CALL),
  },
  {
    id: 'SI1',
    code: 'PACKET_INSTRUCTIONS',
    reason: 'holds the markup of a system prompt or chat turn',
    source: 'source 001 Dispatch charter: source-instruction-bearing packets',
    find: anywhere(CHAT_MARKUP),
  },
  {
    id: 'SI2',
    code: 'PACKET_INSTRUCTIONS',
    reason: 'holds text that is invisible to a reader',
    source: 'source 001 Dispatch charter: source-instruction-bearing packets',
    find: ({ strings }) =>
      strings.find(({ text }) => HIDDEN_TEXT.test(text.replace(REGION_FLAG, ''))) ?? null,
  },
  {
    id: 'SE1',
    code: 'PACKET_EVIDENCE',
    reason: 'cites an [E…] mark that its charter does not have',
    source: 'source 002 Rejection conditions: cites evidence absent from the charter',
    find: citing(({ charter }) => {
      const given = new Set(charter.read_context.map(({ id }) => id));
      return ({ marks }) => marks.every((mark) => given.has(mark));
    }),
  },
  {
    id: 'SE2',
    code: 'PACKET_EVIDENCE',
    reason: 'cites a digest that its charter does not have',
    source: 'source 002 Rejection conditions: cites evidence absent from the charter',
    find: citing(({ charter }) => {
      const shown = givenText(charter);
      return ({ digests }) =>
        digests.every((digest) => DIGEST_PATTERN.test(digest) && shown().includes(digest));
    }),
  },
  {
    id: 'SE3',
    code: 'PACKET_EVIDENCE',
    reason: 'cites a dispatch, claim or measurement that its charter does not have',
    source: 'source 002 Rejection conditions: cites evidence absent from the charter',
    find: citing((judged) => {
      const shown = givenText(judged.charter);
      const counts = itemCounts(judged);
      const linked = new Set([...judged.links.research, ...judged.links.refs.map((ref) => ref.slice(0, 26))]);
      return ({ dispatches }) =>
        dispatches.every(({ id, item }) => {
          const known = counts.get(id);
          if (item !== null && known !== undefined) return isCounted(item, known);
          return known !== undefined || linked.has(id) || shown().includes(id);
        });
    }),
  },
  {
    id: 'SE4',
    code: 'PACKET_EVIDENCE',
    reason: 'cites a path outside its read roots',
    source: '02 Rejection: a path outside the read roots',
    find: citing(
      ({ charter }) =>
        ({ paths }) =>
          paths.every((path) => isInsideRoots(path, charter.allowed_read_roots)),
    ),
  },
];

type Cited = ReturnType<typeof citationsOf>;

/** A rule over the fields that cite; `prepare` runs once a packet. */
function citing(prepare: (judged: Judged) => (cited: Cited) => boolean): StructureRule['find'] {
  return (judged) => {
    const isGiven = prepare(judged);
    return judged.strings.find(({ field, text }) => CITING.has(field) && !isGiven(citationsOf(text))) ?? null;
  };
}

/** The charter as the child read it; made only when something is cited. */
function givenText(charter: Judged['charter']): () => string {
  let text: string | null = null;
  return () => {
    text ??= canonicalJson(charter);
    return text;
  };
}

interface ItemCounts {
  readonly claims: number;
  readonly measurements: number;
}

/** How many claims and measurements each packet under review has: `#c9` of a packet with eight is absent. */
function itemCounts({ charter, links }: Judged): ReadonlyMap<string, ItemCounts> {
  if (charter.role !== 'reviewer') return new Map();
  return new Map(
    links
      .packetsOf()
      .map(({ dispatch_id, packet }) => [
        dispatch_id,
        { claims: packet.claims.length, measurements: packet.measurements?.length ?? 0 },
      ]),
  );
}

function isCounted(item: string, counts: ItemCounts): boolean {
  const number = Number(item.slice(1));
  return number >= 1 && number <= (item.startsWith('c') ? counts.claims : counts.measurements);
}
