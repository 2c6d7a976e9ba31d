/** The start gate over the text of a conference.md, with the texts that round 1 will quote. */
import { startGate, type GateInput, type GateResult } from '@x/conference-core';
import { canonicalJson, digestOf } from '@x/protocol';
import { readConferenceMd } from './read-conference-md.ts';

export interface GateOptions {
  /** What relative roots resolve against; null leaves them as written. */
  readonly folder: string | null;
  readonly passEnv: readonly string[];
  /** Given by flags: replaces what the file says. */
  readonly values?: GateInput['values'];
}

export interface GatedText {
  readonly gate: GateResult;
  /** Texts that go into the content store, by the digests that the plan names. */
  readonly contents: readonly string[];
}

export function gateConferenceMd(text: string, { folder, passEnv, values }: GateOptions): GatedText {
  const { input, context } = readConferenceMd(text, folder);
  const contents = context.map((one) => canonicalJson(one));
  const gate = startGate(
    { ...input, values: { ...input.values, ...values } },
    {
      pass_env: passEnv,
      context: context.map(({ source }, index) => ({ source, digest: digestOf(contents[index] ?? '') })),
    },
  );
  return { gate, contents };
}
