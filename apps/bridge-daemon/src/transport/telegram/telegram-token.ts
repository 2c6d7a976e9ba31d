/**
 * The bot token: from `TELEGRAM_BOT_TOKEN`, or from a file that only we can read, named by `TELEGRAM_BOT_TOKEN_FILE`
 * (05 The daemon). Never from a flag, which everybody on the machine can see. No error text holds it.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type TokenReading =
  | { readonly code: 'token'; readonly token: string }
  | { readonly code: 'refused'; readonly message: string };

const variable = 'TELEGRAM_BOT_TOKEN';
const fileVariable = 'TELEGRAM_BOT_TOKEN_FILE';
const shape = /^\d{1,20}:[A-Za-z0-9_-]{30,200}$/;
const fileBytesMax = 1_024;
const othersMay = 0o077;

const refused = (message: string): TokenReading => ({ code: 'refused', message });

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'failed';

const judged = (text: string, from: string): TokenReading => {
  const token = text.replace(/^\uFEFF/, '').trim();
  if (token === '') return refused(`${from} is empty: put the token there that @BotFather gave`);
  if (shape.test(token)) return { code: 'token', token };
  return refused(
    `${from} holds no bot token: one looks like 123456789:AAAA…, that is digits, a colon, and 30 or more letters, digits, - or _. Copy the whole line that @BotFather gave`,
  );
};

/** Opened without following a link and without waiting, then judged by what was opened. */
const fromFile = (path: string): TokenReading => {
  const file = `${path}, the file named by ${fileVariable},`;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    return code === 'ELOOP'
      ? refused(`${file} is a link: name the file itself`)
      : refused(`${file} cannot be opened (${code}): write the token to it and run chmod 600 ${path}`);
  }
  try {
    const stats = fstatSync(fd);
    const uid = process.getuid?.() ?? null;
    if (!stats.isFile()) return refused(`${file} is not a regular file: name one`);
    if (uid !== null && stats.uid !== uid)
      return refused(`${file} belongs to user id ${stats.uid}, not to ${uid}: use a file of your own`);
    if (uid !== null && (stats.mode & othersMay) !== 0)
      return refused(`${file} is open to others, who could speak as the bot: run chmod 600 ${path}`);
    if (stats.size > fileBytesMax)
      return refused(`${file} has ${stats.size} bytes: it holds the token and nothing else`);
    const bytes = Buffer.alloc(fileBytesMax);
    return judged(bytes.toString('utf8', 0, readSync(fd, bytes)), file);
  } catch (error) {
    return refused(`${file} cannot be read (${errorCode(error)})`);
  } finally {
    closeSync(fd);
  }
};

/**
 * Takes the token out of `env`: the variable is gone from it afterwards, so that no child inherits it. Gives the token, or
 * what is wrong and what to do. Never throws.
 */
export const takeToken = (env: Record<string, string | undefined>): TokenReading => {
  const { [variable]: text = '', [fileVariable]: path = '' } = env;
  delete env[variable];
  if (text !== '' && path !== '')
    return refused(`${variable} and ${fileVariable} are both set, and may differ: leave one of them out`);
  if (text !== '') return judged(text, variable);
  if (path !== '') return fromFile(path);
  return refused(
    `no bot token: write the one that @BotFather gave to a file, run chmod 600 on it, and name it by ${fileVariable} (or set ${variable})`,
  );
};

/** The bot's own id, which stands before the colon and is no secret. A new token of the same bot has the same one. */
export const botIdOf = (token: string): string => token.slice(0, token.indexOf(':'));
