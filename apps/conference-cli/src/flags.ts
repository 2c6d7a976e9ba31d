/** Flags that several verbs share, each with its default and unit. */

export const jsonFlag = {
  kind: 'boolean',
  brief: 'One JSON document on stdout, nothing else there',
  withNegated: false,
  default: false,
} as const;

export const colorFlag = {
  kind: 'boolean',
  brief: 'Colours and a live view at a terminal (also off with NO_COLOR, or in a pipe)',
  default: true,
} as const;

export const grantFlags = {
  writeTo: {
    kind: 'parsed',
    parse: String,
    optional: true,
    brief: 'Grant: files may be written in this folder, and nowhere else',
    placeholder: 'dir',
  },
  grant: { kind: 'parsed', parse: String, optional: true, brief: 'Grant from a file', placeholder: 'file' },
} as const;

export const passEnvFlag = {
  kind: 'parsed',
  parse: environmentName,
  optional: true,
  variadic: true,
  brief: 'A further environment variable for children, by name; part of the plan',
  placeholder: 'name',
} as const;

export const lockWaitFlag = {
  kind: 'parsed',
  parse: parseWait,
  default: '5s',
  brief: 'How long another writer is waited for',
  placeholder: 'duration',
} as const;

function environmentName(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) throw new SyntaxError(`${text} is not the name of a variable`);
  return text;
}

/** `5s`, `500ms`, `0`: milliseconds, at most a day. */
function parseWait(text: string): number {
  const match = /^(\d{1,8})(ms|s|m)?$/.exec(text);
  const unit = match?.[2] ?? 'ms';
  const ms = Number(match?.[1]) * { ms: 1, s: 1_000, m: 60_000 }[unit === 's' || unit === 'm' ? unit : 'ms'];
  if (match === null || ms > 86_400_000)
    throw new SyntaxError(`${text} is no duration; accepted: 5s, 500ms, 2m, at most a day`);
  return ms;
}

export function parseSlots(text: string): number {
  const slots = Number(text);
  if (!/^\d{1,4}$/.test(text) || slots < 1 || slots > 1_000) {
    throw new SyntaxError(`${text} is no number of slots; accepted: 1 to 1000`);
  }
  return slots;
}

export const folderArgument = {
  parse: String,
  brief: 'Conference folder (default: this one)',
  placeholder: 'dir',
  optional: true,
} as const;

export const fileArgument = {
  parse: String,
  brief: 'The conference.md (default: conference.md)',
  placeholder: 'file',
  optional: true,
} as const;

export const requiredFolderArgument = {
  parse: String,
  brief: 'Conference folder',
  placeholder: 'dir',
} as const;
