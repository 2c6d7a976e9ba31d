import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { expect, test } from 'vitest';
import { parseTeams } from './parse-teams.ts';

/** Teams as plain objects; throws where there are faults. */
function teamsOf(text: string): Record<string, unknown> {
  const result = parseTeams(text);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return Object.fromEntries(result.teams);
}

/** `line:column CODE message` of each fault, in order; empty where there is none. */
function faultsOf(text: string): string[] {
  const result = parseTeams(text);
  return result.ok
    ? []
    : result.faults.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
}

function peer(line: string): string {
  return `docs:\n  - name: a\n    persona: p\n    ${line}\n`;
}

test('a team is a list of peers with the six keys, and may be empty [LAYO-01 LAYO-03]', () => {
  const text = `
# a remark
docs:
  - name: writer
    persona: technical-writer   # another
    model: lab/m-1
    extensions: web-tools,db
    env_file: .env.docs
  - { name: cc, runner: claude-code, model: "opus" }
  - {name: dd, runner: 'claude-code', persona: p}
one: [{ name: a, persona: p }]
empty: []
nothing:
  # - name: commented-out
tilde: ~
`;
  expect(teamsOf(text)).toEqual({
    docs: [
      {
        name: 'writer',
        persona: 'technical-writer',
        model: 'lab/m-1',
        extensions: 'web-tools,db',
        env_file: '.env.docs',
      },
      { name: 'cc', runner: 'claude-code', model: 'opus' },
      { name: 'dd', runner: 'claude-code', persona: 'p' },
    ],
    one: [{ name: 'a', persona: 'p' }],
    empty: [],
    nothing: [],
    tilde: [],
  });
});

test.each(['', '\n', '# only a remark\n', '---\n', '{}', '~', '--- {}\n...\n'])(
  'a file without teams (%j) is one without teams, not a fault [LAYO-01]',
  (text) => {
    expect(teamsOf(text)).toEqual({});
  },
);

test.each([
  ['no', 'no'],
  ['1.10', '1.10'],
  ['0x10', '0x10'],
  ['014', '014'],
  ['1e3', '1e3'],
  ['.inf', '.inf'],
  ['true', 'true'],
  ['12345678901234567890', '12345678901234567890'],
  ['2026-01-02', '2026-01-02'],
  ['"null"', 'null'],
  ["'~a'", null],
  ['!!str 1.10', '1.10'],
])('the value %s is taken as written, never as a boolean or a number [LAYO-01]', (written, value) => {
  const result = parseTeams(peer(`model: ${written}`));
  expect(result.ok ? result.teams.get('docs')?.[0]?.model : null).toBe(value);
});

test('40 peers, one peer and none are teams [LAYO-01]', () => {
  const forty = Array.from({ length: 40 }, (_, index) => `  - { name: p${index}, persona: r }\n`).join('');
  const teams = parseTeams(`forty:\n${forty}one:\n  - { name: a, persona: r }\nnone: []\n`);
  expect(teams.ok && [...teams.teams.values()].map((peers) => peers.length)).toEqual([40, 1, 0]);
});

test('CRLF and a byte order mark change neither values nor places [LAYO-02]', () => {
  const text = '\uFEFFdocs:\r\n  - name: a\r\n    persona: p\r\n    nmae: x\r\n';
  expect(faultsOf(text)[0]).toMatch(/^4:5 UNKNOWN_KEY /);
  expect(teamsOf('\uFEFFdocs:\r\n  - name: a\r\n    persona: p\r\n')).toEqual({
    docs: [{ name: 'a', persona: 'p' }],
  });
  expect(faultsOf('\uFEFF"a b": []\n')[0]).toMatch(/^1:1 VALUE_REFUSED team name "a b"/);
});

test.each([
  ['model: "$(reboot)"', '"$(reboot)"'],
  ['model: a b', '"a b"'],
  ['model: "`id`"', '"`id`"'],
  ['model: "a\\nb"', '"a\\nb"'],
  ['model: |\n      a\n      b', '"a\\nb\\n"'],
  ['model: ""', '""'],
  ['model: "a\\u202Eb"', '"a\\u{202e}b"'],
  ['model: "\\e[31m"', '"\\u001b[31m"'],
  ["model: 'it''s'", '"it\'s"'],
  ['model: "\\""', '"\\""'],
  ['model: модель', '"модель"'],
  ['model: a;b', '"a;b"'],
  ['model: "\\ud800"', '"\\ud800"'],
])('a value that a shell or terminal would act on is refused and named: %j [LAYO-02]', (line, shown) => {
  const [fault, ...more] = faultsOf(peer(line));
  expect(more).toEqual([]);
  expect(fault).toMatch(/^4:12 VALUE_REFUSED model "/);
  expect(fault).toContain(`model ${shown}: only letters, digits and . _ / , - are accepted`);
});

test('a long value is cut where it is named [LAYO-02]', () => {
  const [fault] = faultsOf(peer(`model: "${'x y'.repeat(500)}"`));
  expect(fault?.length).toBeLessThan(200);
});

test.each([
  ['nmae', 'did you mean name?'],
  ['personna', 'did you mean persona?'],
  ['modle', 'did you mean model?'],
  ['extention', 'did you mean extensions?'],
  ['env-file', 'did you mean env_file?'],
  ['runer', 'did you mean runner?'],
  ['NAME', 'did you mean name?'],
])('the unknown key %s is told with the nearest that there is [LAYO-01]', (key, hint) => {
  const [fault, ...more] = faultsOf(peer(`${key}: x`));
  expect(fault).toMatch(/^4:5 UNKNOWN_KEY a peer has no key /);
  expect(fault).toContain(hint);
  expect(fault).toContain('name, persona, model, extensions, env_file, runner');
  expect(more).toEqual([]);
});

test.each(['__proto__', 'constructor', 'colour', '<<', '1.10'])(
  'the key %s is unknown like any other, and nothing near it is made up [LAYO-01]',
  (key) => {
    const [fault] = faultsOf(peer(`${key}: x`));
    expect(fault).toContain(`4:5 UNKNOWN_KEY a peer has no key "${key}"`);
    expect(fault).not.toContain('did you mean');
  },
);

test('a team may be called __proto__, and is no more than that [LAYO-01]', () => {
  const result = parseTeams('__proto__:\n  - { name: a, persona: p }\n');
  expect(result.ok && [...result.teams.keys()]).toEqual(['__proto__']);
});

test.each<[string, string]>([
  ['docs:\n  - persona: p\n', '2:5 MISSING_KEY this peer has no name'],
  [
    'docs:\n  - name: a\n',
    '2:5 MISSING_KEY this peer has no persona (only a peer with `runner: claude-code` needs none)',
  ],
  [
    peer('runner: codex'),
    '4:13 VALUE_REFUSED runner "codex": claude-code is the only one; leave the key out for the usual harness',
  ],
  [
    'docs:\n  - name: a\n    runner: claude_code\n',
    '3:13 VALUE_REFUSED runner "claude_code": claude-code is the only one; leave the key out for the usual harness',
  ],
  [
    'docs:\n  - name: a\n    runner: claude-code\n    extensions: x\n',
    '4:17 VALUE_REFUSED extensions "x": a peer with runner claude-code takes none',
  ],
  [
    peer('extensions: [a, b]'),
    '4:17 WRONG_SHAPE extensions is one value, not a list: write them in one word, as web-tools,db',
  ],
  [peer('model: {a: b}'), '4:12 WRONG_SHAPE model is one value, not a map'],
  [peer('model:'), '4:11 VALUE_REFUSED model is empty: give it a value, or leave the key out'],
  [peer('model: ~'), '4:12 VALUE_REFUSED model is empty: give it a value, or leave the key out'],
  ['docs:\n  - a\n', '2:5 WRONG_SHAPE a peer is a map, not text: write `- name: …` and its other keys below'],
  [
    'docs:\n  - [a]\n',
    '2:5 WRONG_SHAPE a peer is a map, not a list: write `- name: …` and its other keys below',
  ],
  [
    'docs:\n  name: a\n',
    '2:3 WRONG_SHAPE team "docs" is a list of peers, not a map: start each with `- name: …`, or write []',
  ],
  [
    'docs: a\n',
    '1:7 WRONG_SHAPE team "docs" is a list of peers, not text: start each with `- name: …`, or write []',
  ],
  [
    '- docs\n',
    '1:1 WRONG_SHAPE a teams file is a map of teams, not a list: write `team-name:`, its peers below',
  ],
  ['docs\n', '1:1 WRONG_SHAPE a teams file is a map of teams, not text: write `team-name:`, its peers below'],
  ['? [a]\n: []\n', '1:3 WRONG_SHAPE a team is named by one word of text before the colon'],
  [': []\n', '1:1 WRONG_SHAPE a team is named by one word of text before the colon'],
  ['a b: []\n', '1:1 VALUE_REFUSED team name "a b": only letters, digits and . _ / , - are accepted'],
  [
    '"a\\e[2Jb": []\n',
    '1:1 VALUE_REFUSED team name "a\\u001b[2Jb": only letters, digits and . _ / , - are accepted',
  ],
])('%j is refused where it is wrong [LAYO-01 LAYO-02 LAYO-03]', (text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test.each(['/etc/passwd', '..', '../x', 'a/../../x', '.', './', 'a/..', './../x', '//x'])(
  'the env_file %s is not inside the repository [LAYO-03]',
  (path) => {
    expect(faultsOf(peer(`env_file: ${path}`))).toEqual([
      `4:15 VALUE_REFUSED env_file "${path}": give a path inside the repository, relative to it`,
    ]);
  },
);

test.each(['.env', 'a/b.env', './x', 'a/../x', '..x', '...'])(
  'the env_file %s is inside [LAYO-03]',
  (path) => {
    expect(faultsOf(peer(`env_file: ${path}`))).toEqual([]);
  },
);

test.each<[string, string]>([
  ['docs: []\nweb: []\ndocs: []\n', '3:1 DUPLICATE team "docs" stands here twice: the first is at line 1'],
  ['docs: []\n"docs": []\n', '2:1 DUPLICATE team "docs" stands here twice: the first is at line 1'],
  [peer('name: b'), '4:5 DUPLICATE key "name" stands here twice: the first is at line 2'],
  [
    'docs:\n  - { name: a, persona: p }\n  - { name: a, persona: q }\n',
    '3:13 DUPLICATE a second peer named "a": the first is at line 2',
  ],
])('what stands twice in %j is told with the place of the first [LAYO-01]', (text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test('1.10 and 1.1 are two teams, and one peer may be in two teams [LAYO-01]', () => {
  const text = '1.10:\n  - { name: a, persona: p }\n1.1:\n  - { name: a, persona: p }\n';
  expect(Object.keys(teamsOf(text))).toEqual(['1.10', '1.1']);
});

test.each<[string, RegExp]>([
  ['docs:\n\t- name: a\n', /^2:1 YAML_SYNTAX Tabs are not allowed/],
  ['a: []\n---\nb: []\n', /^2:1 YAML_SYNTAX a second document starts here/],
  ['a: []\n...\n---\nb: [\n', /^\d:1 YAML_SYNTAX a second document starts here/],
  ['docs: [\n', /^2:1 YAML_SYNTAX Flow sequence in block/],
  ['docs: "a\n', /^2:1 YAML_SYNTAX Missing closing "quote/],
  ['docs:\n  - name: a: b\n    persona: p\n', /^2:11 YAML_SYNTAX Nested mappings/],
  ['docs: "\\q"\n', /^1:8 YAML_SYNTAX Invalid escape sequence/],
  ['docs: @a\n', /^1:7 YAML_SYNTAX/],
])('%j is a syntax fault at its line and column [LAYO-02]', (text, fault) => {
  expect(faultsOf(text).find((each) => fault.test(each))).toBeDefined();
});

test.each<[string, string]>([
  ['docs: &a [*a]\n', '1:11 YAML_FEATURE the alias "*a" is not followed: write the value out'],
  ['docs: *a\n', '1:7 YAML_FEATURE the alias "*a" is not followed: write the value out'],
  [peer('model: *m'), '4:12 YAML_FEATURE the alias "*m" is not followed: write the value out'],
  [
    peer('model: !!binary aGk='),
    '4:21 YAML_FEATURE the tag "tag:yaml.org,2002:binary" is not accepted: every value is text as written',
  ],
  [peer('model: !x y'), '4:15 YAML_FEATURE the tag "!x" is not accepted: every value is text as written'],
  [
    peer('model: !!int 7'),
    '4:18 YAML_FEATURE the tag "tag:yaml.org,2002:int" is not accepted: every value is text as written',
  ],
  [
    'docs: !!omap []\n',
    '1:14 YAML_FEATURE the tag "tag:yaml.org,2002:omap" is not accepted: every value is text as written',
  ],
])('nothing is resolved or expanded in %j [LAYO-01]', (text, fault) => {
  expect(faultsOf(text)).toContain(fault);
});

test('an alias bomb is refused without being expanded [LAYO-01]', () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`,
  );
  const faults = faultsOf(`l0: &l0 [x]\n${levels.join('\n')}\n`);
  expect(faults).toHaveLength(1 + 30 * 9);
});

test('a %YAML 1.1 line turns no into no boolean [LAYO-01]', () => {
  expect(teamsOf('%YAML 1.1\n---\ndocs:\n  - name: no\n    persona: on\n')).toEqual({
    docs: [{ name: 'no', persona: 'on' }],
  });
});

test('one run tells every fault, in the order of the file [LAYO-02]', () => {
  const text = `docs:
  - name: a b
    nmae: x
  - persona: q
    extensions: [x]
web: 7
docs: []
ops:
\t- name: z
last:
  - { name: c, runner: x }
`;
  expect(faultsOf(text).map((fault) => fault.split(' ').slice(0, 2).join(' '))).toEqual([
    '2:5 MISSING_KEY',
    '2:11 VALUE_REFUSED',
    '3:5 UNKNOWN_KEY',
    '4:5 MISSING_KEY',
    '5:17 WRONG_SHAPE',
    '6:6 WRONG_SHAPE',
    '7:1 DUPLICATE',
    '9:1 YAML_SYNTAX',
    '11:24 VALUE_REFUSED',
  ]);
});

test('more peers than one workspace takes are refused, and so many are still counted [LAYO-01]', () => {
  const peers = Array.from({ length: 257 }, (_, index) => `  - { name: p${index}, persona: r }\n`).join('');
  expect(faultsOf(`docs:\n${peers}`)).toEqual([
    '2:3 VALUE_REFUSED team "docs" has 257 peers; one workspace takes 256',
  ]);
});

test.each<[string, (levels: number) => string]>([
  ['brackets', (n) => `a: ${'['.repeat(n)}`],
  ['closed brackets', (n) => `a: ${'['.repeat(n)}${']'.repeat(n)}\n`],
  ['braces', (n) => `a: ${'{a: '.repeat(n)}`],
  ['dashes', (n) => `a:\n  ${'- '.repeat(n)}x\n`],
  ['question marks', (n) => `${'? '.repeat(n)}x\n`],
  ['indented keys', (n) => Array.from({ length: n }, (_, level) => `${' '.repeat(level)}k:\n`).join('')],
  ['indented dashes', (n) => Array.from({ length: n }, (_, level) => `${' '.repeat(level)}-\n`).join('')],
  ['colons', (n) => `${'a: '.repeat(n)}\n`],
])('100,000 levels of %s are refused in bounded depth, not by a crash [LAYO-01]', (_, text) => {
  // Indentation costs a character a level and line; 700 lines are as deep as the bound on a file's size lets them be.
  const levels = text(2).includes('\n ') ? 700 : 100_000;
  const [fault] = faultsOf(text(levels));
  expect(fault).toMatch(/^\d+:\d+ TOO_DEEP nests deeper than 64 levels/);
});

test('the bound on depth lets ordinary files through: long remarks, deep indentation, many dashes in words', () => {
  const text = `${' '.repeat(100)}# far to the right\ndocs: # ${'- '.repeat(100)}\n${' '.repeat(20)}- name: ${'-'.repeat(80)}\n${' '.repeat(22)}persona: p\n\n${' '.repeat(90)}\n`;
  expect(faultsOf(text)).toEqual([]);
});

test('no text throws, and no fault stands outside of it [LAYO-02]', () => {
  const piece = fc.constantFrom(
    'docs:',
    ' ',
    '\n',
    '\n  - ',
    'name: a',
    '\n    persona: p',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '&a ',
    '*a',
    '!x ',
    '|',
    '>',
    '#',
    '\t',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    ': ',
    '? ',
    ', ',
    '~',
    '\r\n',
    '\uFEFF',
    '\u0000',
    '\u0002',
    '\u001f',
    '\u2028',
    'x',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const result = parseTeams(text);
      const lines = text.split('\n').length;
      for (const { line, column } of result.ok ? [] : result.faults) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
        expect(column).toBeGreaterThanOrEqual(1);
      }
    }),
    { numRuns: process.env['FULL'] === '1' ? 50_000 : 2_000 },
  );
}, 300_000);

test('a text that we accept is accepted by the library alone too, with the same names [LAYO-01]', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9._/,-]{1,6}$/);
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 5 }), word, (names, persona) => {
      const text = `team:\n${names.map((name) => `  - { name: "${name}", persona: '${persona}' }\n`).join('')}`;
      const alone = parseDocument(text, { schema: 'failsafe' });
      expect(alone.errors).toEqual([]);
      expect(teamsOf(text)).toEqual(names.length === 0 ? { team: [] } : alone.toJS());
    }),
  );
});
