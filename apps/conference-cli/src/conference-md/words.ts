/** Markdown as the words that a person reads: escapes and entities resolved, emphasis and comments gone. */
import type { Nodes, PhrasingContent } from 'mdast';

/** Comments of a piece of HTML, one that never ends included. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

export function withoutComments(html: string): string {
  return html.replace(COMMENT, '');
}

/** A space that does not break is a space. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u2007\u202f]/g, ' ');
}

/** Code keeps its backticks unless `bare`: in a sentence they mean something, around a value they do not. */
function wordsOf(node: Nodes, bare: boolean): string {
  switch (node.type) {
    case 'text':
      return plainSpaces(node.value);
    case 'inlineCode':
      return bare ? node.value : `\`${node.value}\``;
    case 'html':
      return withoutComments(node.value);
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'link': {
      const text = joined(node.children, bare);
      return text === node.url || node.url === '' ? text : `${text} (${node.url})`;
    }
    default:
      return 'children' in node ? joined(node.children, bare) : '';
  }
}

function joined(nodes: readonly Nodes[], bare: boolean): string {
  return nodes.map((node) => wordsOf(node, bare)).join('');
}

/** One line: white space folded, ends trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The words of a heading or key. */
export function titleText(nodes: readonly Nodes[]): string {
  return oneLine(joined(nodes, true));
}

/**
 * A value or entry. Wholly code or bold is what stands inside; wholly emphasized is a template's `_Describe …_`, and
 * keeps its underscores so that the gate knows it.
 */
export function valueText(nodes: readonly PhrasingContent[]): string {
  const solid = nodes.filter((node) => oneLine(wordsOf(node, true)) !== '');
  const [only] = solid;
  if (solid.length === 1 && only !== undefined) {
    if (only.type === 'inlineCode') return oneLine(only.value);
    if (only.type === 'strong') return valueText(only.children);
    if (only.type === 'emphasis') return `_${oneLine(joined(only.children, false)).replaceAll('_', ' ')}_`;
  }
  return oneLine(joined(nodes, false));
}

/** A paragraph's lines, each as the nodes that stand in it. */
export function linesOf(nodes: readonly PhrasingContent[]): PhrasingContent[][] {
  const lines: PhrasingContent[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'break') {
      lines.push([]);
      continue;
    }
    if (node.type !== 'text') {
      lines.at(-1)?.push(node);
      continue;
    }
    for (const [index, value] of node.value.split(/\r\n|\n|\r/).entries()) {
      if (index > 0) lines.push([]);
      if (value !== '') lines.at(-1)?.push({ type: 'text', value });
    }
  }
  return lines;
}

/** `Pre-Flight Gate`, `## 3. PRE-FLIGHT GATE:` and `Pre‑flight gate` are one title. */
export function sameTitle(text: string): string {
  return oneLine(plainSpaces(text))
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/^[^\p{L}]+/u, '')
    .replace(/[\s:：.…]+$/u, '')
    .replace(/ and /g, ' & ');
}

/** `pause_every`, `Pause every` and `pause-every:` are one key. */
export function sameKey(text: string): string {
  return sameTitle(text)
    .replace(/[_-]/g, ' ')
    .replace(/\s*\/\s*/g, ' / ')
    .replace(/\s+/g, ' ')
    .trim();
}
