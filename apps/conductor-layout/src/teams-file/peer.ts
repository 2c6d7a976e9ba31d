/**
 * One peer of a team, as the teams file must have it (06 Teams file).
 *
 * Boundary: the shape alone; where in the file a value stands is the reader's business.
 */
import * as z from 'zod/mini';

/** Values are written by people and reach command lines: nothing that a shell or a terminal would act on. */
export const PLAIN_VALUE = /^[A-Za-z0-9._/,-]+$/;

// Compiling a schema to code pays off after many values, not after a few; here it would be most of the time.
z.config({ jitless: true });

const Value = z.string().check(z.regex(PLAIN_VALUE));

/** A peer in the usual harness, under a persona. */
const HarnessPeer = z.strictObject({
  name: Value,
  persona: Value,
  model: z.optional(Value),
  extensions: z.optional(Value),
  env_file: z.optional(Value),
  runner: z.optional(z.never()),
});

/** A peer in Claude Code: it needs no persona and takes no extensions. */
const ClaudePeer = z.strictObject({
  name: Value,
  persona: z.optional(Value),
  model: z.optional(Value),
  extensions: z.optional(z.never()),
  env_file: z.optional(Value),
  runner: z.literal('claude-code'),
});

/** `env_file` is relative to the repository and inside it; only a live start reads it. */
export type Peer = z.infer<typeof HarnessPeer> | z.infer<typeof ClaudePeer>;

/** The keys that a peer may have; the same six in both kinds. */
export const PEER_KEYS: readonly string[] = Object.keys(HarnessPeer.shape);

/** Judges the plain value of one peer. Never throws. */
export function parsePeer(value: Readonly<Record<string, unknown>>): z.core.util.SafeParseResult<Peer> {
  // One schema by the runner named, not a union: a union's refusal says only that neither fits.
  const schema = value['runner'] === 'claude-code' ? ClaudePeer : HarnessPeer;
  return schema.safeParse(value);
}
