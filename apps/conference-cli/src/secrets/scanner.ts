/**
 * The secret scanner: secretlint's recommended rules, and patterns for tokens that they do not know (02 Rejection).
 *
 * S1 A finding is a rule id and an offset, never text.
 * S2 The preset's comment filter is left out: with it, a packet that says "secretlint-disable" would turn the rules off.
 * S3 Its profiler is off: it keeps a mark of every rule of every scan for good, and searches all of them at each new one,
 * so that a long conference would spend its time and memory there (90 s of 100 at 50 lanes and 5 rounds).
 * 12.0 is the last line of secretlint that runs on Node 20; look again when that line is dropped.
 */
import type { SecretScanner } from '@x/conference-core/packets';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator as pattern } from '@secretlint/secretlint-rule-pattern';
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';

secretLintProfiler.mark = () => undefined;

/** Token shapes whose makers publish them and that the recommended rules miss. */
const MORE_PATTERNS = [
  { name: 'telegram-bot-token', pattern: String.raw`/\b\d{8,12}:[A-Za-z0-9_-]{35}\b/` },
  { name: 'generic-sk-key', pattern: String.raw`/\bsk-[A-Za-z0-9]{32,}\b/` },
  {
    name: 'json-web-token',
    pattern: String.raw`/\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/`,
  },
  { name: 'stripe-key', pattern: String.raw`/\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\b/` },
  { name: 'google-api-key', pattern: String.raw`/\bAIza[A-Za-z0-9_-]{35}\b/` },
] as const;

const FILTER_COMMENTS = '@secretlint/secretlint-rule-filter-comments';
const AWS = '@secretlint/secretlint-rule-aws';

const rules = [
  ...recommended
    .filter((rule) => rule.meta.id !== FILTER_COMMENTS)
    .map((rule) => ({
      id: rule.meta.id,
      rule,
      // Access key ids are an option of that rule; a packet has no business with them.
      options: rule.meta.id === AWS ? { enableIDScanRule: true } : {},
    })),
  {
    id: '@secretlint/secretlint-rule-pattern',
    rule: pattern,
    options: { patterns: MORE_PATTERNS.map(({ name, pattern: regexp }) => ({ name, patterns: [regexp] })) },
  },
];

/** The scanner that every command of ours judges packets and charters with. */
export function createScanner(): SecretScanner {
  return {
    name: 'secretlint',
    version: '12.0.0+1',
    scan: async (text) => {
      const source = { filePath: 'text', content: text, contentType: 'text' as const, ext: '' };
      const result = await lintSource({
        source,
        options: { config: { rules }, noPhysicFilePath: true, maskSecrets: true },
      });
      return result.messages.map(({ ruleId, range }) => ({
        rule: ruleId.replace('@secretlint/secretlint-rule-', ''),
        offset: range[0],
      }));
    },
  };
}
