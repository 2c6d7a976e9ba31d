/**
 * `ledger.lock`: tells who holds a folder. It informs; it decides only about a holder in another network namespace,
 * where the abstract socket of the kernel lock cannot be seen.
 *
 * K5 It is made by link(2) of a complete file, so a reader never finds half of one and two makers never both succeed.
 * K6 A holder that cannot be seen from here (another machine, another process namespace) counts as alive.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import type { LockHolder } from '../refusal.ts';
import { errnoOf } from './fault.ts';

/** What stands in the file. Namespaces and boot name the kernel's view in which `pid` and `start_ticks` count. */
export type LockNote = LockHolder & {
  readonly v: 1;
  readonly start_ticks: string;
  readonly boot_id: string;
  readonly net_namespace: string;
  readonly pid_namespace: string;
};

/** What may be said about the holder. */
export type LockLabel = { readonly purpose?: string; readonly controlSocket?: string };

/** Only a regular file is read: a pipe that lies there is not waited for. */
const read = (path: string): string | null => {
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return fstatSync(fd).isFile() ? readFileSync(fd, 'utf8').trim() : null;
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
};

const readLink = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return 'none';
  }
};

/** Start of a process in clock ticks since boot, or null when there is no such process (or no /proc). */
export const startTicksOf = (pid: number): string | null => {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before may hold spaces and brackets
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
};

/** The note of this process. */
export const ownNote = (label: LockLabel): LockNote => ({
  v: 1,
  pid: process.pid,
  started_at: new Date(Date.now() - Math.round(process.uptime() * 1000)).toISOString(),
  host: hostname(),
  start_ticks: startTicksOf(process.pid) ?? 'none',
  boot_id: read('/proc/sys/kernel/random/boot_id') ?? 'none',
  net_namespace: readLink('/proc/self/ns/net'),
  pid_namespace: readLink('/proc/self/ns/pid'),
  ...(label.controlSocket === undefined ? {} : { control_socket: label.controlSocket }),
  ...(label.purpose === undefined ? {} : { purpose: label.purpose }),
});

const texts = ['started_at', 'host', 'start_ticks', 'boot_id', 'net_namespace', 'pid_namespace'] as const;
const optionalTexts = ['control_socket', 'purpose'] as const;

const isNote = (value: unknown): value is LockNote => {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  if (members.get('v') !== 1 || !Number.isSafeInteger(members.get('pid'))) return false;
  if (!texts.every((key) => typeof members.get(key) === 'string')) return false;
  return optionalTexts.every((key) => ['string', 'undefined'].includes(typeof members.get(key)));
};

/** A note read back, or null: an unreadable one says nothing and decides nothing. */
export const parseNote = (text: string): LockNote | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isNote(value) ? value : null;
  } catch {
    return null;
  }
};

/** The part of a note that other people read. */
export const holderOf = (note: LockNote): LockHolder => ({
  pid: note.pid,
  started_at: note.started_at,
  host: note.host,
  ...(note.control_socket === undefined ? {} : { control_socket: note.control_socket }),
  ...(note.purpose === undefined ? {} : { purpose: note.purpose }),
});

/** The note that stands in a file, with its text. */
export const readNote = (path: string): { readonly text: string; readonly note: LockNote | null } | null => {
  const text = read(path);
  return text === null ? null : { text, note: parseNote(text) };
};

/**
 * Whether the holder that a note names may still write, seen by one who has the kernel lock of its own namespace.
 * `startTicks` gives the start of a process here.
 */
export const mayStillHold = (
  note: LockNote,
  own: LockNote,
  startTicks: (pid: number) => string | null,
): boolean => {
  if (note.boot_id !== own.boot_id) return note.host !== own.host; // the same machine was started again since, or another machine
  if (note.net_namespace === own.net_namespace) return false; // it would hold the kernel lock that we have
  if (note.pid_namespace !== own.pid_namespace) return true;
  return startTicks(note.pid) === note.start_ticks;
};

/** Whether a note names a process that is alive here: one that is not is no holder to name. */
export const isAliveHere = (note: LockNote, own: LockNote): boolean =>
  note.boot_id !== own.boot_id ||
  note.pid_namespace !== own.pid_namespace ||
  startTicksOf(note.pid) === note.start_ticks;

const scratchName = (path: string): string => `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;

/** Puts a note where none stands. False: one stands there. */
export const placeNote = (path: string, text: string): boolean => {
  const scratch = scratchName(path);
  writeFileSync(scratch, `${text}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(scratch, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(scratch, { force: true });
  }
};

/** Replaces the own note. */
export const replaceNote = (path: string, text: string): void => {
  const scratch = scratchName(path);
  writeFileSync(scratch, `${text}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(scratch, path);
};

/** Takes a note away if it still reads `text`; one that another put there meanwhile is put back. */
export const withdrawNote = (path: string, text: string): void => {
  const scratch = scratchName(path);
  try {
    renameSync(path, scratch);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if (read(scratch) !== text) linkSync(scratch, path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(scratch, { force: true });
  }
};
