/** Columns that a text takes on a terminal: wide East Asian characters and emoji take two, combining marks none. */
const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;
const NONE = /\p{M}/u;

export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) {
    if (NONE.test(char)) continue;
    width += WIDE.test(char) ? 2 : 1;
  }
  return width;
}
