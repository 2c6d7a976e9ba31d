/** Schemas of the small words that every other schema is made of. */
import * as z from 'zod';
import { DIGEST_PATTERN } from './digest.ts';
import { REF_PATTERN, ULID_PATTERN } from './ids.ts';
import { ROLES } from './states.ts';

export const digestSchema = z
  .string()
  .regex(DIGEST_PATTERN, 'expected sha256: and 64 hex digits')
  .brand<'Digest'>();
export const conferenceIdSchema = z.string().regex(ULID_PATTERN, 'expected a ULID').brand<'ConferenceId'>();
export const dispatchIdSchema = z.string().regex(ULID_PATTERN, 'expected a ULID').brand<'DispatchId'>();
export const decisionIdSchema = z.string().regex(ULID_PATTERN, 'expected a ULID').brand<'DecisionId'>();
export const roleSchema = z.enum(ROLES);

/** ISO 8601 in UTC with milliseconds: the one spelling of a time (03 Ledger). */
export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'expected ISO 8601 with milliseconds and Z');

/** A, B … Z, AA, AB … (01 Words). */
export const laneSchema = z.string().regex(/^[A-Z]{1,3}$/, 'expected a lane letter');

export const positiveSchema = z.int().positive();
export const countSchema = z.int().nonnegative();

export const refSchema = z.string().regex(REF_PATTERN, 'expected <dispatch_id>#c<n> or #m<n>');
