/**
 * Takes the bot token out of any text: whole, percent-encoded, and the part after its colon alone. Whoever reads a log
 * with a token in it can speak as the bot.
 */
export type Redact = (text: string) => string;

const redactedMark = '[token]';

/** Gives a function that replaces each spelling of `token` by `[token]`; it never throws and keeps all other text. */
export const redactorOf = (token: string): Redact => {
  const secret = token.slice(token.indexOf(':') + 1);
  // Longest first: no half of one spelling is left of another.
  const spellings = [...new Set([token, encodeURIComponent(token), secret, encodeURIComponent(secret)])]
    .filter((spelling) => spelling !== '')
    .toSorted((one, other) => other.length - one.length);
  return (text) => spellings.reduce((clean, spelling) => clean.replaceAll(spelling, redactedMark), text);
};
