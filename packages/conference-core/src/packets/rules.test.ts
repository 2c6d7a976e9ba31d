/** Catches: a rule whose id, order or direction changes unnoticed. */
import { describe, expect, test } from 'vitest';
import { RULE_CODES } from './judged.ts';
import { RULES_VERSION } from './rules-version.ts';
import { STRUCTURE_RULES } from './structure-rules.ts';
import { TEXT_RULES } from './text-rules.ts';
import { foldText } from './fold-text.ts';

describe('the rule table', () => {
  test('has these ids and codes; a change of meaning needs a new version [CHAR-09]', () => {
    expect(RULES_VERSION).toBe('packets/1');
    expect(RULE_CODES).toEqual([
      'PACKET_AUTHORITY',
      'PACKET_EXTERNAL_ACTION',
      'PACKET_INSTRUCTIONS',
      'PACKET_EVIDENCE',
    ]);
    expect([...STRUCTURE_RULES, ...TEXT_RULES].map(({ id, code }) => `${id} ${code}`)).toEqual([
      'SA1 PACKET_AUTHORITY',
      'SX1 PACKET_EXTERNAL_ACTION',
      'SX2 PACKET_EXTERNAL_ACTION',
      'SI1 PACKET_INSTRUCTIONS',
      'SI2 PACKET_INSTRUCTIONS',
      'SE1 PACKET_EVIDENCE',
      'SE2 PACKET_EVIDENCE',
      'SE3 PACKET_EVIDENCE',
      'SE4 PACKET_EVIDENCE',
      'TA1 PACKET_AUTHORITY',
      'TA2 PACKET_AUTHORITY',
      'TA3 PACKET_AUTHORITY',
      'TA4 PACKET_AUTHORITY',
      'TA5 PACKET_AUTHORITY',
      'TX1 PACKET_EXTERNAL_ACTION',
      'TX2 PACKET_EXTERNAL_ACTION',
      'TX3 PACKET_EXTERNAL_ACTION',
      'TX4 PACKET_EXTERNAL_ACTION',
      'TX5 PACKET_EXTERNAL_ACTION',
      'TI1 PACKET_INSTRUCTIONS',
      'TI2 PACKET_INSTRUCTIONS',
      'TI3 PACKET_INSTRUCTIONS',
      'TI4 PACKET_INSTRUCTIONS',
      'TI5 PACKET_INSTRUCTIONS',
    ]);
    for (const rule of [...STRUCTURE_RULES, ...TEXT_RULES]) {
      expect(rule.reason).not.toBe('');
      expect(rule.source).toMatch(/^(?:source 00[0-4]|0[1-7] )/);
    }
  });

  test('no pattern keeps state between two looks', () => {
    for (const { id, patterns } of TEXT_RULES) {
      for (const pattern of patterns) expect(pattern.flags, id).not.toMatch(/[gy]/);
    }
  });
});

test('text is looked at without what hides it, and only looked at so', () => {
  expect(foldText('I\u200bg\u00adno\u2060re\u00a0 \n“your” ﬁles’')).toBe(`Ignore "your" files'`);
  expect(foldText('ＩＧＮＯＲＥ')).toBe('IGNORE');
});
