/**
 * The env files of a team, read for a live start (06 Teams file).
 *
 * V1  No message holds a value, nor a line of a file: what cannot be read as NAME=value may be a secret.
 */
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode, readBoundedFile } from './bounded-file.ts';
import { quoted } from './inert-text.ts';

const ENV_FILE_BYTES_MAX = 64 * 1024;

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export type EnvValues = ReadonlyMap<string, Readonly<Record<string, string>>>;

export type EnvFilesResult =
  | { readonly ok: true; readonly values: EnvValues }
  /** One sentence a file; all files are told. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads each file once.
 *
 * @param checkout absolute path; a file that a link leads out of it is refused
 * @param files as in the teams file, relative to the checkout
 */
export function readEnvFiles(checkout: string, files: readonly string[]): EnvFilesResult {
  const values = new Map<string, Readonly<Record<string, string>>>();
  const problems: string[] = [];
  for (const file of files) {
    const read = readEnvFile(checkout, file);
    if (read.ok) values.set(file, read.env);
    else problems.push(`env_file ${quoted(file)} ${read.why}`);
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** Shorter values are left in a text: they are no secrets, and taking each `1` out would leave nothing to read. */
const HIDDEN_CHARS_MIN = 4;

/** A foreign text without any value of the env files: as it is, as JSON writes it, or one of its lines. */
export function hideValues(text: string, values: EnvValues): string {
  const secrets = [...values.values()]
    .flatMap((env) => Object.values(env))
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), ...value.split(/\r?\n/)])
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= HIDDEN_CHARS_MIN)
    // The longest first: a value that is part of another must not cut it into recognisable pieces.
    .toSorted((a, b) => b.length - a.length);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[value of an env file]'), text);
}

type EnvFile =
  | { readonly ok: true; readonly env: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly why: string };

function readEnvFile(checkout: string, file: string): EnvFile {
  const real = realPath(join(checkout, file));
  if (!real.ok) return real;
  const root = realPath(checkout);
  if (!root.ok) return root;
  if (!real.path.startsWith(root.path === sep ? sep : root.path + sep)) {
    return { ok: false, why: 'leads out of the repository by a link' };
  }
  const content = readBoundedFile(real.path, ENV_FILE_BYTES_MAX);
  if (!content.ok) return content;
  const entries = Object.entries(parseEnv(content.text.replace(/^\uFEFF/, '')));
  if (
    entries.some(([name, value]) => !VARIABLE_NAME.test(name) || value === undefined || value.includes('\0'))
  ) {
    return { ok: false, why: 'has a line that is not NAME=value' };
  }
  // From entries, not by assignment: `__proto__` is a legal name of a variable.
  return { ok: true, env: Object.fromEntries(entries.map(([name, value]) => [name, value ?? ''])) };
}

function realPath(
  path: string,
): { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, path: realpathSync(path) };
  } catch (error) {
    const code = errorCode(error);
    return {
      ok: false,
      why: code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be reached (${code})`,
    };
  }
}
