/** From bytes to a value: decode, find the one candidate, read it strictly. No schema is looked at here. */
import { decodeText } from './decode-text.ts';
import { findBlock } from './find-block.ts';
import { faultAt, type ReadFault } from './read-fault.ts';
import { readJson } from './read-json.ts';
import { readYaml } from './read-yaml.ts';

export type PacketRead =
  | {
      readonly ok: true;
      /** The whole message, prose included. */
      readonly text: string;
      /** A plain object without a prototype, as the child wrote it. */
      readonly value: Readonly<Record<string, unknown>>;
    }
  | ReadFault;

/**
 * Reads a message of a child (02 Reading what a child sends). Bounded by the length of the bytes: check the size first.
 */
export function readPacket(bytes: Uint8Array): PacketRead {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const found = findBlock(decoded.text);
  if (!found.ok) return faultAt([], found.expected);
  const read = found.format === 'json' ? readJson(found.text) : readYaml(found.text);
  if (!read.ok) return read;
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return faultAt([], 'an object');
  // Read as a mapping: both readers make objects with string keys only.
  return { ok: true, text: decoded.text, value: value as Record<string, unknown> };
}
