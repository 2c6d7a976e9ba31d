/**
 * Admission: from the bytes a child sent to an admitted packet or a refusal (02 Rejection).
 *
 * P1 The first reason in the order of the codes is the code; nothing later is looked at.
 * P2 A refusal holds code, reason, digest and size. No text of the child is in it.
 * P3 Deterministic in its arguments and in the scanner's findings: no clock, no randomness.
 * P4 PACKET_ROUND_CLOSED is not found here: accounting decides it before any packet rule (01 Dispatch accounting).
 */
import {
  canonicalJson,
  digestOf,
  firstIssue,
  type Charter,
  type Digest,
  type FailureCode,
  type CharterLimits,
  type Packet,
  type PacketFacts,
} from '@x/protocol';
import { crossCheck } from './cross-checks.ts';
import { packetFacts } from './facts.ts';
import type { AdmissionContext } from './links.ts';
import { faultAt, shownPath, type ReadFault } from './read-fault.ts';
import { readPacket } from './read-packet.ts';
import { boundedReason } from './reason.ts';
import { findRuleHit } from './rules.ts';
import { RULES_VERSION } from './rules-version.ts';
import type { SecretScanner } from './scanner.ts';
import { schemaOf } from './schema-of.ts';

export interface Admitted {
  readonly ok: true;
  /** SHA-256 of the bytes as received, prose and BOM included. */
  readonly digest: Digest;
  readonly bytes: number;
  readonly packet: Packet;
  /** Canonical JSON of the packet: what charters and artifacts are made from. */
  readonly content: string;
  readonly content_digest: Digest;
  readonly facts: PacketFacts;
  readonly rules: string;
}

export interface Refused {
  readonly ok: false;
  readonly digest: Digest;
  readonly bytes: number;
  readonly code: FailureCode;
  /** At most `REASON_CODE_POINTS_MAX` code points, in our own words. */
  readonly reason: string;
  readonly rules: string;
}

export type Admission = Admitted | Refused;

/**
 * Judges a result for a `dispatched` id.
 * @param limits the plan's, already widened by `limitsFor`
 * @param links what the charter shows besides its text; `NO_LINKS` for a researcher
 * @param digest of the bytes, for a caller that has it already from a faster SHA-256
 * @returns never rejects for anything a child can send; it rejects when the scanner does
 */
export async function admitPacket(
  bytes: Uint8Array,
  charter: Charter,
  limits: CharterLimits,
  links: AdmissionContext,
  scanner: SecretScanner,
  digest: Digest = digestOf(bytes),
): Promise<Admission> {
  const refuse = (code: FailureCode, reason: string): Refused => ({
    ok: false,
    digest,
    bytes: bytes.length,
    code,
    reason: boundedReason(reason),
    rules: RULES_VERSION,
  });
  if (bytes.length > limits.packet_bytes_max) {
    return refuse(
      'PACKET_OVERSIZED',
      `expected at most ${limits.packet_bytes_max} bytes, found ${bytes.length}`,
    );
  }
  const read = readPacket(bytes);
  if (!read.ok) return refuse('PACKET_MALFORMED', told(read));
  const fitted = fitSchema(read.value, charter, limits);
  if (!fitted.ok) return refuse('PACKET_MALFORMED', told(fitted));
  const { packet } = fitted;
  const crossed = crossCheck(charter.role, packet, links);
  if (crossed !== null) return refuse('PACKET_MALFORMED', told(crossed));
  const stranger = identityFault(read.value, charter);
  if (stranger !== null) return refuse('PACKET_IDENTITY', told(stranger));
  const secret = await findSecret(read.text, packet, scanner);
  if (secret !== null) return refuse('PACKET_SECRET', secret);
  const hit = findRuleHit(packet, charter, links);
  if (hit !== null) {
    return refuse(
      hit.rule.code,
      `${shownPath(hit.path)}: the packet ${hit.rule.reason} (rule ${hit.rule.id})`,
    );
  }
  if (packet.status === 'failed') {
    return refuse('packet_failed', 'the child reports that it failed; its packet fits the schema');
  }
  const content = canonicalJson(packet);
  return {
    ok: true,
    digest,
    bytes: bytes.length,
    packet,
    content,
    content_digest: digestOf(content),
    facts: packetFacts(packet, charter, links),
    rules: RULES_VERSION,
  };
}

function told({ path, expected }: ReadFault): string {
  return `${path}: expected ${expected}`;
}

type Fitted = { readonly ok: true; readonly packet: Packet } | ReadFault;

/** The schema of the charter's role; identity is judged apart, so it is taken from the charter here. */
function fitSchema(
  value: Readonly<Record<string, unknown>>,
  charter: Charter,
  limits: CharterLimits,
): Fitted {
  const schema = schemaOf(charter.role, charter.success_definition.mode, limits);
  const parsed = schema.safeParse({ ...value, dispatch_id: charter.dispatch_id, role: charter.role });
  if (parsed.success) return { ok: true, packet: parsed.data };
  const [issue] = parsed.error.issues;
  const { expected } = firstIssue(parsed.error);
  return { ok: false, path: shownPath(issue?.path ?? []), expected: plainExpectation(expected) };
}

/** The schema library's sentences, as the end of "expected …". */
function plainExpectation(message: string): string {
  return message
    .replace(/^Invalid (?:input|option): /u, '')
    .replace(/^expected (?:one of )?/u, (lead) => (lead.includes('one of') ? 'one of ' : ''));
}

function identityFault(value: Readonly<Record<string, unknown>>, charter: Charter): ReadFault | null {
  if (value['dispatch_id'] !== charter.dispatch_id) {
    return faultAt(['dispatch_id'], `${charter.dispatch_id}, the id of this dispatch`);
  }
  return value['role'] === charter.role
    ? null
    : faultAt(['role'], `${charter.role}, the role of this dispatch`);
}

/**
 * Runs the scanner over the message as it came, prose included, and over the packet's strings as they read: an
 * escape such as `\u0067` hides a secret from the first look, prose from the second.
 */
async function findSecret(text: string, packet: Packet, scanner: SecretScanner): Promise<string | null> {
  const [first] = [...(await scanner.scan(text)), ...(await scanner.scan(stringsOf(packet).join('\n')))];
  if (first === undefined) return null;
  return `expected no credential or authority token; rule ${first.rule} of ${scanner.name} ${scanner.version} found one`;
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
