/** From a conference.md on disk to the answer of the start gate, with the texts that round 1 will quote. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { GateInput, GateResult } from '@x/conference-core';
import { digestOf, type Digest } from '@x/protocol';
import { writtenRootsDigest } from './conference-md/drift-conference-md.ts';
import { gateConferenceMd } from './conference-md/gate-conference-md.ts';
import { CONFERENCE_MD_BYTES_MAX } from './conference-md/sections.ts';
import { usage, type Failure } from './output.ts';
import { errorCode } from './error-code.ts';

export interface LoadedPlan {
  readonly ok: true;
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly source_digest: Digest;
  readonly written_roots_digest: Digest;
  readonly gate: GateResult;
  /** Texts that go into the content store, by the digests that the plan names. */
  readonly contents: readonly string[];
}

export type PlanResult = LoadedPlan | { readonly ok: false; readonly failure: Failure };

/** `input` given by flags replaces what the file says (flag > file). */
export interface PlanOptions {
  readonly passEnv: readonly string[];
  readonly values: GateInput['values'];
}

/** Reads and gates. A text of the user that holds a secret is refused here, before anything is recorded (02 Charter). */
export async function loadPlan(file: string, cwd: string, options: PlanOptions): Promise<PlanResult> {
  const path = resolve(cwd, file);
  let bytes: Uint8Array;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return refused('FILE_INVALID', `${file} is not a file; accepted is a conference.md`);
    if (stats.size > CONFERENCE_MD_BYTES_MAX) {
      return refused(
        'FILE_INVALID',
        `${file} has ${stats.size} bytes; accepted are at most ${CONFERENCE_MD_BYTES_MAX}`,
      );
    }
    bytes = readFileSync(path);
  } catch (error) {
    const code = errorCode(error, 'unreadable');
    return refused('FILE_UNREADABLE', `${file} cannot be read (${code}): name a conference.md`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('FILE_INVALID', `${file} is not UTF-8`);
  }
  const { createScanner } = await import('./secrets/scanner.ts');
  const [secret] = await createScanner().scan(text);
  if (secret !== undefined) {
    const line = text.slice(0, secret.offset).split('\n').length;
    return refused(
      'PLAN_SECRET',
      `${file} line ${line} holds a secret (rule ${secret.rule}): take it out, children would be shown it`,
    );
  }
  const folder = dirname(path);
  const { gate, contents } = gateConferenceMd(text, { folder, ...options });
  return {
    ok: true,
    file: path,
    bytes,
    source_digest: digestOf(bytes),
    written_roots_digest: writtenRootsDigest(text),
    gate,
    contents,
  };
}

function refused(code: string, message: string): PlanResult {
  return { ok: false, failure: usage(code, message) };
}
