/** Lanes are lettered A … Z, AA, AB … (01 Words); the code counts seats from 0. */

const LETTERS = 26;

/** The letter of a seat: 0 is A, 25 Z, 26 AA. */
export function laneLetter(index: number): string {
  let text = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / LETTERS) - 1) {
    text = String.fromCharCode(65 + (rest % LETTERS)) + text;
  }
  return text;
}

/** The seat of a letter, or null for a text that is none. */
export function laneIndex(letter: string): number | null {
  if (!/^[A-Z]{1,3}$/.test(letter)) return null;
  let index = 0;
  for (const char of letter) index = index * LETTERS + (char.charCodeAt(0) - 64);
  return index - 1;
}
