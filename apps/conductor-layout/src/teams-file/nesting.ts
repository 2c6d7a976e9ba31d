/**
 * How deep a YAML text nests, counted from its tokens while they are read.
 *
 * The YAML library composes by recursion: text that nests about 900 deep can end the process with no
 * exception to catch. Its lexer does not recurse, so the count is there before anything can go too deep.
 *
 * N1  Depth is counted from above: a text that stays within a bound nests at most twice as deep (a pair
 *     written inside a bracket, `[a: b]`, is a level that is not counted).
 */

/** The lexer's own marks; they stand for no text. The token after `SCALAR` is text, whatever it says. */
const DOCUMENT = '\u0002';
const FLOW_END = '\u0018';
const SCALAR = '\u001f';

export interface NestingCounter {
  /** Takes the next token of the lexer; gives the depth that it may stand at. */
  depthAt(token: string): number;
}

/**
 * Counts levels of blocks and brackets.
 *
 * A block level costs at least one column of indentation or an indicator (`-`, `?`, `:`) in its line;
 * a flow level costs a bracket, on top of the block levels of the line where the outermost one opened.
 */
export function openNestingCounter(): NestingCounter {
  let brackets = 0;
  let blocksBelow = 0;
  let lineLevels = 0;
  let indentation = 0;
  let isLineStart = true;
  let isText = false;
  const count = (token: string): void => {
    if (isText) {
      isText = false;
    } else if (token === '\n' || token === '\r\n') {
      [lineLevels, indentation, isLineStart] = [0, 0, true];
      return;
    } else if (isLineStart && (token.startsWith(' ') || token.startsWith('\t'))) {
      indentation += token.length;
      return;
    } else if (token.startsWith('#')) {
      // The indentation of a comment nests nothing, like that of an empty line.
      return;
    } else if (token === '[' || token === '{') {
      if (brackets === 0) blocksBelow = indentation + lineLevels;
      brackets += 1;
    } else if (token === ']' || token === '}') {
      brackets = Math.max(0, brackets - 1);
    } else if (token === '-' || token === '?' || token === ':') {
      lineLevels += 1;
    }
    if (isLineStart) {
      lineLevels += indentation;
      isLineStart = false;
    }
  };
  return {
    depthAt(token) {
      if (token === SCALAR) isText = true;
      else if (token === DOCUMENT || token === FLOW_END) brackets = 0;
      else count(token);
      return lineLevels + (brackets > 0 ? brackets + blocksBelow : 0);
    },
  };
}
