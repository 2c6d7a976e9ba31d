/**
 * The folder that holds registry and sockets: where it is, and whether it can be trusted.
 *
 * Boundary: looks at folders and makes them; their content belongs to the other files here.
 *
 * T1 A folder that others may write to, or that belongs to somebody else, is refused: its entries would say nothing
 *    about who answers.
 * T2 What we make is 0700. What exists is never changed.
 */
import { lstatSync, statSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Platform } from '../endpoint.ts';
import { readSettings } from '../settings.ts';
import { homeFolder } from './home-folder.ts';
import { makeFolders } from './make-folders.ts';

/** A place to look for peers and to be found. Made by `openComs`. */
export interface Coms {
  readonly root: string;
  readonly socketsDir: string;
  readonly platform: Platform;
  /** The user whose files count; null where the platform has no user ids. */
  readonly uid: number | null;
  readonly hopsMax: number;
  readonly replyTimeoutMs: number;
}

/** Why a folder cannot be used; `message` says what to do. */
export interface FolderRefusal {
  readonly ok: false;
  readonly code: 'FOLDER_FOREIGN' | 'FOLDER_WRITABLE_BY_OTHERS' | 'NOT_A_FOLDER' | 'FOLDER_FAILED';
  readonly path: string;
  readonly message: string;
}

const groupOrOthersWrite = 0o022;
const shownMode = 0o7777;

function refusal(code: FolderRefusal['code'], path: string, message: string): FolderRefusal {
  return { ok: false, code, path, message };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function judge(path: string, stats: Stats, uid: number | null): FolderRefusal | null {
  if (!stats.isDirectory()) {
    return refusal(
      'NOT_A_FOLDER',
      path,
      `${path} is not a folder. Move it away, or set PI_COMS_DIR to another folder.`,
    );
  }
  if (uid === null) return null;
  if (stats.uid !== uid) {
    const whose = `belongs to user id ${stats.uid}, and you are ${uid}`;
    return refusal('FOLDER_FOREIGN', path, `${path} ${whose}. Set PI_COMS_DIR to a folder of your own.`);
  }
  if ((stats.mode & groupOrOthersWrite) !== 0) {
    const mode = (stats.mode & shownMode).toString(8).padStart(4, '0');
    return refusal(
      'FOLDER_WRITABLE_BY_OTHERS',
      path,
      `${path} can be written to by other users (mode ${mode}), who could pose as any peer. Run: chmod 700 ${path}`,
    );
  }
  return null;
}

/** Looks at one folder. A link is followed only for the root, which the user names; below it links are refused. */
function look(path: string, coms: { root: string; uid: number | null }): FolderRefusal | 'absent' | null {
  const stats =
    path === coms.root
      ? statSync(path, { throwIfNoEntry: false })
      : lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'absent' : judge(path, stats, coms.uid);
}

/**
 * Makes a folder below the root (and the root) where it is missing, and refuses one that cannot be trusted.
 * Never rejects or throws. `parts` are the folder's name parts below the root.
 */
export function makeFolder(
  coms: Coms,
  ...parts: string[]
): FolderRefusal | { readonly ok: true; readonly path: string } {
  let path = coms.root;
  try {
    for (let depth = 0; depth <= parts.length; depth += 1) {
      path = join(coms.root, ...parts.slice(0, depth));
      let found = look(path, coms);
      if (found === 'absent') {
        makeFolders(path);
        found = look(path, coms);
      }
      if (found !== null && found !== 'absent') return found;
    }
  } catch (error) {
    return refusal('FOLDER_FAILED', path, `${path} cannot be made or looked at: ${errorText(error)}`);
  }
  return { ok: true, path };
}

export interface ComsOptions {
  /** Folder of registry and sockets. Precedence: this, then `PI_COMS_DIR`, then `~/.pi/coms`. */
  readonly root?: string;
  /** Variables to read; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Resolves the coms folder and the settings of existing peers (04 Registry). Makes nothing: a folder that is not
 * there yet has no peers. Refuses one that other users can write to, or own. Never rejects or throws.
 */
export function openComs(
  options: ComsOptions = {},
): { readonly ok: true; readonly coms: Coms } | FolderRefusal {
  const settings = readSettings(options.env ?? process.env);
  const root = resolve(options.root ?? settings.dir ?? join(homeFolder(), '.pi', 'coms'));
  const coms: Coms = {
    root,
    socketsDir: join(root, 'sockets'),
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    hopsMax: settings.hopsMax,
    replyTimeoutMs: settings.replyTimeoutMs,
  };
  try {
    for (const path of [coms.root, coms.socketsDir]) {
      const found = look(path, coms);
      if (found !== null && found !== 'absent') return found;
    }
  } catch (error) {
    return refusal('FOLDER_FAILED', root, `${root} cannot be looked at: ${errorText(error)}`);
  }
  return { ok: true, coms };
}
