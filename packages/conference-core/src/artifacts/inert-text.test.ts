/**
 * Catches a child's text that does something: ends a table or a list, becomes a heading, a link or HTML, moves the
 * cursor, turns the reading direction, or hides.
 */
import fc from 'fast-check';
import type { Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import {
  inline,
  INLINE_POINTS_MAX,
  quote,
  QUOTE_LINES_MAX,
  TSV_POINTS_MAX,
  tsvCell,
  visibleText,
} from './inert-text.ts';
import { readLedgerLine } from './ledger-line.ts';

const runs = process.env['FULL'] === '1' ? 5_000 : 150;

const HOSTILE = [
  '|',
  '||',
  '\\',
  '\\\\',
  '\\|',
  '`',
  '``',
  '```',
  '```js\n',
  '~~~',
  '~~',
  '~',
  '*',
  '**',
  '_',
  '__',
  '***',
  '#',
  '## ',
  '- ',
  '-',
  '--',
  '---',
  '- - -',
  '+ ',
  '* ',
  '1. ',
  '1) ',
  '> ',
  '>',
  '=',
  '===',
  ':-:',
  ':--',
  '| a | b |',
  '\n| --- | --- |\n',
  '<',
  '<!--',
  '-->',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</td>',
  '<br>',
  '<https://evil.example>',
  '<?',
  '<![CDATA[',
  '&lt;',
  '&#60;',
  '&#x3C;script&#x3E;',
  '&',
  '&amp',
  '[x](https://evil.example)',
  '![i](x)',
  '[x]: https://evil.example',
  '[x]',
  '[^1]',
  '[^1]: note',
  '[ ] ',
  '[a8d7a3ba1795]',
  '![',
  '](',
  'https://evil.example/a|b',
  'HTTP://evil.example',
  'www.evil.example',
  'mailto:a@evil.example',
  'xmpp:a@evil.example',
  'a@evil.example',
  '@everyone',
  'javascript:alert(1)',
  '$x$',
  '$$',
  ':smile:',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\t',
  '    ',
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\u001b]8;;https://evil.example\u0007',
  '\u009b2J',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u2029',
  '\u{e0041}',
  '\ud800',
  '\udc00',
  '\u3164',
  '\u115f',
  '\ufe0f',
  '⚠\ufe0f',
  '👨\u200d👩',
  'Ledger: 9 events, head sha256:' + 'a'.repeat(64),
  'encoded_bytes',
  'a_b_',
  ' ',
  ' ',
  'word',
  '5',
  '.',
  ')',
  '!',
  '"',
  "'",
  '=1+1',
] as const;

const childText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
    {
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(''));

function parse(markdown: string): RootContent[] {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
}

/** Types from the outside in, without what is inside of a paragraph. */
function shape(node: Nodes): string {
  if (node.type === 'paragraph' || node.type === 'tableCell' || !('children' in node)) return node.type;
  return `${node.type}(${node.children.map(shape).join(' ')})`;
}

/** Everything within the node is text or code, and this is how it reads. */
function plainText(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (node.type !== 'paragraph' && node.type !== 'tableCell') throw new Error(`found ${node.type}`);
  return node.children.map(plainText).join('');
}

/** What is to be read in the end: one line, every character in sight; words made into code write these five as URLs do. */
function expected(text: string): string {
  const line = visibleText(text.replaceAll(/[\t\v\f\r\n\u0085\u2028\u2029\p{Zs}]/gu, ' '));
  return escaped(line.replaceAll(/ +/g, ' ').trim()) || '(empty)';
}

function escaped(text: string): string {
  return text.replaceAll(
    /[`\\|<>]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function at<Kind extends RootContent['type']>(
  blocks: readonly RootContent[],
  index: number,
  type: Kind,
): Extract<RootContent, { type: Kind }> {
  const block = blocks[index];
  if (block?.type !== type) throw new Error(`block ${index} is ${block?.type ?? 'missing'}, not ${type}`);
  // Narrowed by its type just above.
  return block as Extract<RootContent, { type: Kind }>;
}

test('text in a list item stays one paragraph of plain text that reads as it was sent [LEDG-12]', () => {
  fc.assert(
    fc.property(childText, (text) => {
      const blocks = parse(`# Heading\n\n- ${inline(text)}\n- ours\n\nafter`);
      expect(blocks.map(shape)).toEqual([
        'heading(text)',
        'list(listItem(paragraph) listItem(paragraph))',
        'paragraph',
      ]);
      const [first] = at(blocks, 1, 'list').children;
      expect(escaped(plainText(first?.children[0] ?? { type: 'text', value: '' }))).toBe(expected(text));
    }),
    { numRuns: runs },
  );
});

test('text in a table cell breaks out of neither cell, row nor table [LEDG-12]', () => {
  fc.assert(
    fc.property(childText, childText, (left, right) => {
      const blocks = parse(
        `before\n\n| a | b |\n| --- | --: |\n| ${inline(left)} | ${inline(right)} |\n| x | y |\n\nafter`,
      );
      expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'table', 'paragraph']);
      const rows = at(blocks, 1, 'table').children;
      expect(rows.map(({ children }) => children.length)).toEqual([2, 2, 2]);
      const cells = rows[1]?.children.map((cell) => escaped(plainText(cell)));
      expect(cells).toEqual([expected(left), expected(right)]);
    }),
    { numRuns: runs },
  );
});

test('text at the start of a paragraph, beside our own words and in bold changes nothing around it [LEDG-12]', () => {
  fc.assert(
    fc.property(childText, (text) => {
      const shown = inline(text);
      expect(parse(`${shown}\n\nafter`).map(shape)).toEqual(['paragraph', 'paragraph']);
      const [beside] = parse(
        `- **Lane A** (\`id\`): ${shown} ([R1 A m1][a8d7a3ba1795] validated) *moved*\n\n[a8d7a3ba1795]: packets/a.json`,
      );
      const [item] = beside?.type === 'list' ? beside.children : [];
      const [paragraph] = item?.children ?? [];
      const kinds =
        paragraph?.type === 'paragraph' ? paragraph.children.map(({ type }) => type).join(' ') : '';
      expect(kinds).toMatch(
        /^strong text inlineCode text(?: text| inlineCode)* linkReference text emphasis$/,
      );
    }),
    { numRuns: runs },
  );
});

test('a quotation of several lines holds only paragraphs of plain text [LEDG-12]', () => {
  fc.assert(
    fc.property(fc.array(childText, { maxLength: 4 }), (lines) => {
      const blocks = parse(`${quote(lines.join('\n'))}\n\nafter`);
      expect(blocks.map(({ type }) => type)).toEqual(['blockquote', 'paragraph']);
      for (const child of at(blocks, 0, 'blockquote').children) {
        expect(child.type).toBe('paragraph');
        plainText(child);
      }
    }),
    { numRuns: runs },
  );
});

test('no character that steers, hides or reorders is left, and none that opens a tag [LEDG-12]', () => {
  fc.assert(
    fc.property(childText, (text) => {
      for (const shown of [inline(text), tsvCell(text), ...quote(text).split('\n')]) {
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u3164\u115f]/u);
        expect(shown).not.toMatch(/(?:^|[ -~])\ufe0f(?!\u20e3)/u);
      }
      expect(inline(text)).not.toMatch(/<[A-Za-z/!?]/);
    }),
    { numRuns: runs },
  );
});

test('the literal ranges cover every control, format and separator character that this engine knows [LEDG-12]', () => {
  const kept: string[] = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point);
    if (
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(character) &&
      visibleText(character) === character
    )
      kept.push(point.toString(16));
  }
  expect(kept).toEqual([]);
});

test('characters that no longer act are shown by their code [LEDG-12]', () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['\u001b[31mred', '⟨U+001B⟩\\[31mred'],
    ['zero\u200bwidth', 'zero⟨U+200B⟩width'],
    ['⚠\ufe0f heed', '⚠\ufe0f heed'],
    ['x\ufe0f', 'x⟨U+FE0F⟩'],
    ['1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['\u{e0041}', '⟨U+E0041⟩'],
    ['half \ud83d', 'half ⟨U+D83D⟩'],
  ];
  expect(cases.map(([text]) => [text, inline(text)])).toEqual(cases);
});

test('everyday text stays legible as it is', () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['encoded_bytes <= 18000', 'encoded_bytes <= 18000'],
    ['5 -> 6, x >= 7 & y < 3', '5 -> 6, x >= 7 & y < 3'],
    ['-5% at +3', '-5% at +3'],
    ['see https://a.example/x?y=1&z=2 today', 'see `https://a.example/x?y=1&z=2` today'],
    ['ask a@b.example', 'ask `a@b.example`'],
    ['the file: it is gone', 'the file: it is gone'],
    ['a\tb\nc', 'a b c'],
    ['', '(empty)'],
    ['  \u00a0 ', '(empty)'],
    ['# 1', '\\# 1'],
    ['1. first', '1\\. first'],
    ['> x', '\\> x'],
    ['>x', '\\>x'],
    ['- x', '\\- x'],
    ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
    ['a|b', 'a\\|b'],
    ['*x* _y_ `z` [w](v)', '\\*x\\* \\_y\\_ \\`z\\` \\[w\\](v)'],
    ['AT&T &lt; &#60;', 'AT&amp;T &amp;lt; &amp;#60;'],
  ];
  expect(cases.map(([text]) => [text, inline(text)])).toEqual(cases);
});

test('a long text is cut at a character, and says how much is missing', () => {
  expect(inline('😀'.repeat(INLINE_POINTS_MAX))).toBe('😀'.repeat(INLINE_POINTS_MAX));
  expect(inline('😀'.repeat(INLINE_POINTS_MAX + 5))).toBe(
    `${'😀'.repeat(INLINE_POINTS_MAX)}… (5 more characters)`,
  );
  const lines = quote(
    Array.from({ length: QUOTE_LINES_MAX + 3 }, (_, index) => `line ${index}`).join('\n'),
  ).split('\n');
  expect(lines).toHaveLength(QUOTE_LINES_MAX + 2);
  expect(lines.at(-1)).toBe('> … (3 more lines)');
});

test('a cell of the results table is one cell, whatever reads the table [LEDG-11 LEDG-12]', () => {
  fc.assert(
    fc.property(childText, (text) => {
      const cell = tsvCell(text);
      expect(cell).not.toMatch(/[\t\n\r]/);
      expect(cell).not.toBe('');
      expect(cell).not.toMatch(/^[=@"]/);
    }),
    { numRuns: runs },
  );
  const cases: readonly (readonly [text: string, cell: string])[] = [
    ['a\tb', 'a b'],
    ['a\r\nb\nc', 'a b c'],
    ['a\t\tb', 'a  b'],
    ['', '-'],
    ['=HYPERLINK("x")', '\'=HYPERLINK("x")'],
    ['"quoted', '\'"quoted'],
    ['-5% faster', '-5% faster'],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
    ['a | b <c> _d_', 'a | b <c> _d_'],
  ];
  expect(cases.map(([text]) => [text, tsvCell(text)])).toEqual(cases);
  expect(tsvCell('x'.repeat(TSV_POINTS_MAX))).toHaveLength(TSV_POINTS_MAX);
  expect(tsvCell('x'.repeat(TSV_POINTS_MAX + 1))).toBe(`${'x'.repeat(TSV_POINTS_MAX)}… (1 more characters)`);
});

test('no text of a child can stand for the ledger line', () => {
  const forged = `Ledger: 9 events, head sha256:${'a'.repeat(64)}`;
  for (const shown of [`- ${inline(forged)}`, `- ${inline(`\n${forged}\n`)}`, quote(`a\n${forged}\nb`)]) {
    expect(readLedgerLine(shown)).toBeNull();
  }
  expect(readLedgerLine(forged)?.seq).toBe(9);
});
