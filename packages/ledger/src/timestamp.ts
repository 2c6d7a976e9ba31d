/** The one form of a time in a ledger: UTC to the millisecond, as `toISOString` writes it. Checked by hand: a pattern costs more than the rest of a line's frame. */
const form = '0000-00-00T00:00:00.000Z';
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Length of every timestamp. */
export const timestampChars = form.length;

/** Whether a text is `YYYY-MM-DDTHH:MM:SS.sssZ` and such a time exists (years 0000 to 9999, no leap seconds). */
export const isTimestamp = (text: unknown): text is string => {
  if (typeof text !== 'string' || text.length !== form.length) return false;
  for (let index = 0; index < form.length; index++) {
    const code = text.charCodeAt(index);
    const wanted = form.charCodeAt(index);
    if (wanted === 0x30 ? code < 0x30 || code > 0x39 : code !== wanted) return false;
  }
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const days = daysOfMonth[month - 1];
  if (days === undefined || day < 1 || day > days) return false;
  if (twoDigits(text, 11) > 23 || twoDigits(text, 14) > 59 || twoDigits(text, 17) > 59) return false;
  return month !== 2 || day < 29 || isLeap(Number(text.slice(0, 4)));
};

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
