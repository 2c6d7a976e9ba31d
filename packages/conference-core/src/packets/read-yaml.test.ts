/** Catches: YAML's second meanings, and texts that would abort or stall the process that reads them. */
import { describe, expect, test } from 'vitest';
import { readYaml } from './read-yaml.ts';

const fault = (text: string): string => {
  const read = readYaml(text);
  if (read.ok) throw new Error(`read as ${JSON.stringify(read.value)}`);
  return `${read.path}: ${read.expected}`;
};

describe('strict YAML 1.2', () => {
  test('reads block and flow style, block scalars and comments; words of YAML 1.1 are strings', () => {
    const read = readYaml(
      [
        '---',
        'status: completed # done',
        'claims:',
        '- claim: "a: b"',
        '  evidence: |',
        '    two',
        '    lines',
        '  confidence: high',
        'uncertainties: [yes, no, on, 2026-11-30, 12:30:45]',
        "role: 'it''s'",
        'stuck_level: 2',
      ].join('\n'),
    );
    expect(read.ok && read.value).toEqual({
      status: 'completed',
      claims: [{ claim: 'a: b', evidence: 'two\nlines\n', confidence: 'high' }],
      uncertainties: ['yes', 'no', 'on', '2026-11-30', '12:30:45'],
      role: "it's",
      stuck_level: 2,
    });
  });

  test('many members on one line are not nesting', () => {
    const members = Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join(', ');
    expect(readYaml(`{ ${members} }`).ok).toBe(true);
    const json = JSON.stringify({
      claims: Array.from({ length: 200 }, () => ({ claim: 'a: b', evidence: '{[*&!%' })),
    });
    expect(readYaml(json).ok).toBe(true);
  });

  test.each([
    ['status: a\nstatus: b', '$.status: each key once'],
    ['claims:\n- {claim: a, claim: b}', '$.claims[0].claim: each key once'],
    ['stuck_level: 014', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: 0o14', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: 0x1F', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: +1', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: .5', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: .inf', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: .NaN', '$.stuck_level: a number in the spelling of JSON'],
    ['stuck_level: 1e999', '$.stuck_level: a number within the range of a double'],
    ['stuck_level: 9007199254740993', '$.stuck_level: an integer that keeps every digit (at most 2^53 - 1)'],
    ['status: !!str x', '$: YAML without tags'],
    ['status: !!binary aGk=', '$: YAML without tags'],
    ['status: !own x', '$: YAML without tags'],
    ['status: &a x', '$: YAML without anchors and aliases'],
    ['status: *a', '$: YAML without anchors and aliases'],
    ['%YAML 1.1\n---\nstatus: x', '$: YAML without directives'],
    ['status: x\n---\nstatus: y', '$: YAML 1.2 without errors (line 2: MULTIPLE_DOCS)'],
    ['status: "abc', '$: YAML 1.2 without errors (line 1: MISSING_CHAR)'],
    ['status: x\n\tbad: y', '$: YAML 1.2 without errors (line 2: TAB_AS_INDENT)'],
    ['[a, , b]', '$: YAML with an entry before each comma'],
    ['status: "\\ud800"', '$.status: whole characters, not half a surrogate pair'],
  ])('%j is refused [CHAR-06]', (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  test('keys are strings, a merge key is a key, and brackets within a word are text', () => {
    expect(fault('? [a, b]\n: x')).toBe('$: YAML 1.2 without errors (line 1: NON_STRING_KEY)');
    expect(readYaml('"1": x\n<<: {a: b}\n__proto__: c\nstatus: a]')).toEqual({
      ok: true,
      value: JSON.parse('{"1":"x","<<":{"a":"b"},"__proto__":"c","status":"a]"}'),
    });
    expect(fault('1: x\n1: y')).toContain('each key once');
  });

  test('no message of the library, which quotes the text, gets out', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    for (const text of [
      `${secret}: 1\n${secret}: 2`,
      `status: "${secret}`,
      `status: !${secret} x`,
      `${secret}: [NaN, .nan]`,
    ]) {
      expect(fault(text)).not.toContain(secret);
    }
  });

  test.each([
    ['flow lists', '['.repeat(100_000)],
    ['flow maps', '{a: '.repeat(50_000)],
    ['closing brackets', `a: [x${']'.repeat(100_000)}`],
    ['list marks', '- '.repeat(50_000)],
    ['key marks', '? '.repeat(50_000)],
    ['block maps', Array.from({ length: 1_200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['empty keys', '?\n'.repeat(30_000)],
    ['blank lines', `a: x${'\n'.repeat(60_000)}`],
    ['commas', `[${','.repeat(100_000)}]`],
    ['tokens', '- x\n'.repeat(20_000)],
  ])('a flood of %s is refused before anything recursive sees it [CHAR-06]', (_what, text) => {
    expect(readYaml(text).ok).toBe(false);
  });

  test('32 levels are read, 33 are refused [CHAR-06]', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(readYaml(nested(32)).ok).toBe(true);
    expect(fault(nested(33))).toContain('at most 32 levels of nesting');
    const block = (depth: number): string =>
      Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:`).join('\n') + ' x';
    expect(readYaml(block(32)).ok).toBe(true);
    expect(fault(block(33))).toContain('at most 32 levels of nesting');
  });
});
