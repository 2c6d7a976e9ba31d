/** The text rules in the order of their codes, and their interpreter (02 Rejection). Version: `RULES_VERSION`. */
import { foldText } from './fold-text.ts';
import type { PacketString } from './packet-strings.ts';
import { AUTHORITY_RULES } from './text-rules/authority.ts';
import { EXTERNAL_ACTION_RULES } from './text-rules/external-action.ts';
import { INSTRUCTION_RULES } from './text-rules/instructions.ts';
import type { TextRule } from './text-rules/pattern.ts';

export const TEXT_RULES: readonly TextRule[] = [
  ...AUTHORITY_RULES,
  ...EXTERNAL_ACTION_RULES,
  ...INSTRUCTION_RULES,
];

/** The first of the strings that breaks the rule, or null. `folded` holds what `foldText` makes of each. */
export function findText(
  rule: TextRule,
  strings: readonly PacketString[],
  folded: readonly string[],
): PacketString | null {
  const index = strings.findIndex(({ field }, at) => {
    const text = folded[at] ?? '';
    return (
      looksAt(rule, field) && hasScript(rule, text) && rule.patterns.some((pattern) => pattern.test(text))
    );
  });
  return strings[index] ?? null;
}

const CYRILLIC = /\p{Script=Cyrillic}/u;

/** Every pattern of a Ukrainian rule needs a Ukrainian word; most packets are spared the look. */
function hasScript({ language }: TextRule, text: string): boolean {
  return language !== 'uk' || CYRILLIC.test(text);
}

function looksAt({ fields, except }: TextRule, field: string): boolean {
  return (fields === 'all' || fields.includes(field)) && !(except?.includes(field) ?? false);
}

/** What the text rules read of each string. */
export function foldStrings(strings: readonly PacketString[]): string[] {
  return strings.map(({ text }) => foldText(text));
}
