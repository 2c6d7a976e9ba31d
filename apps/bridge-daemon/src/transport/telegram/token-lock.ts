/**
 * One owner a token on this machine: two that poll with one token take each other's updates away (cases "Two pollers on
 * one token"). The name is a hash of the token, so that every start finds it, whatever folder or user it runs with.
 *
 * On Linux it is a socket without a file, gone with its process however that ends. Elsewhere it is a socket file, which a
 * later start replaces only when nobody answers there.
 */
import { createHash } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { homeFolder } from '@x/coms-envelope/node';
import * as z from 'zod';
import { telegramLimits } from './telegram-limits.ts';

const holderSchema = z.object({
  pid: z.number(),
  name: z.string(),
  project: z.string(),
  /** ISO time. */
  since: z.string(),
});
export type TokenHolder = z.infer<typeof holderSchema>;

export type TokenHold =
  | { readonly code: 'held'; readonly release: () => Promise<void> }
  | {
      readonly code: 'refused';
      readonly message: string;
      /** Who has it; null where that is not known. */
      readonly holder: TokenHolder | null;
    };

interface HoldOptions {
  readonly token: string;
  readonly holder: TokenHolder;
  /** For the socket file, where there must be one. */
  readonly folder: string;
  readonly platform?: NodeJS.Platform;
}

/** An address of a socket has this many bytes; a shorter abstract name would be filled up differently by others. */
const addressBytes = 108;
/** Of a path, on every platform, its final NUL counted. */
const pathBytesMax = 104;
const triesMax = 5;
const tryAgainMs = 100;
/** So long another start may take to move a file that it found dead. */
const settleMs = 50;
let filesMade = 0;

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';

const listenAt = (server: Server, address: string): Promise<string | null> =>
  new Promise((resolve) => {
    server.once('error', (error) => resolve(errorCode(error)));
    server.listen(address, () => resolve(null));
  });

/** Null: nobody is there. `unknown`: somebody is, and does not say who. */
const askHolder = (address: string): Promise<TokenHolder | 'unknown' | null> =>
  new Promise((resolve) => {
    let told = '';
    const socket = connect(address);
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      try {
        resolve(holderSchema.parse(JSON.parse(told)));
      } catch {
        resolve('unknown');
      }
    };
    const timer = setTimeout(end, telegramLimits.lockAnswerMs);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      told = (told + text).slice(0, telegramLimits.lockBytes);
      if (told.includes('\n')) end();
    });
    socket.on('end', end);
    socket.on('error', (error) => {
      if (!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error))) return end();
      clearTimeout(timer);
      resolve(null);
    });
  });

const refusedBy = (holder: TokenHolder | 'unknown'): TokenHold => {
  const who =
    holder === 'unknown'
      ? 'another process'
      : `${holder.name} (project ${holder.project}, process ${holder.pid}, since ${holder.since})`;
  return {
    code: 'refused',
    holder: holder === 'unknown' ? null : holder,
    message: `this bot token is in use by ${who}, and two on one token take each other's messages away: end that one, or get a bot of its own for this one from @BotFather`,
  };
};

/** Whether we and nobody else answer at the file: another start may have replaced it a moment ago. */
const isOurs = async (address: string, holder: TokenHolder): Promise<boolean> => {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const found = await askHolder(address);
  return found !== null && found !== 'unknown' && found.pid === holder.pid && found.since === holder.since;
};

/** For every start of this user the same, wherever its state lies. */
export const lockFolder = (): string => join(homeFolder(), '.pi', 'coms', 'hermes-bridge', 'locks');

const serverOf = (holder: TokenHolder): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${JSON.stringify(holder)}\n`);
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

const notTaken = (code: string): TokenHold => ({
  code: 'refused',
  holder: null,
  message: `the bot token cannot be taken for this process (${code})`,
});

const holdName = async (address: string, holder: TokenHolder): Promise<TokenHold> => {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const server = serverOf(holder);
    const failed = await listenAt(server, address);
    if (failed === null) {
      server.on('error', () => undefined);
      return { code: 'held', release: () => closed(server) };
    }
    if (failed !== 'EADDRINUSE') return notTaken(failed);
    const found = await askHolder(address);
    if (found !== null) return refusedBy(found);
    await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  }
  return refusedBy('unknown');
};

const isOther = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false;

const inodeOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.ino ?? null;

/** False where something is there already. */
const linked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
};

/** Removes the dead socket that was looked at; what took its place meanwhile is put back. */
const removeDead = (address: string, inode: number | null, aside: string): void => {
  try {
    renameSync(address, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (inodeOf(aside) !== inode) linked(aside, address);
  rmSync(aside, { force: true });
};

/** The socket listens before it gets its name, so that whoever finds the name is answered. */
const holdFile = async (address: string, holder: TokenHolder): Promise<TokenHold> => {
  filesMade += 1;
  const own = `${address}.${process.pid}.${filesMade}`;
  if (Buffer.byteLength(own) >= pathBytesMax)
    return {
      code: 'refused',
      holder: null,
      message: `${own} is too long for a socket (${pathBytesMax - 1} bytes): run with a shorter HOME`,
    };
  mkdirSync(dirname(address), { recursive: true, mode: 0o700 });
  if (isOther(address))
    return {
      code: 'refused',
      holder: null,
      message: `${address} is there and is no socket; it is left untouched: move it away`,
    };
  rmSync(own, { force: true });
  const server = serverOf(holder);
  const failed = await listenAt(server, own);
  if (failed !== null) return notTaken(failed);
  server.on('error', () => undefined);
  chmodSync(own, 0o600);
  const inode = inodeOf(own);
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (linked(own, address) && (await isOurs(address, holder)))
      return {
        code: 'held',
        release: async () => {
          if (inodeOf(address) === inode) rmSync(address, { force: true });
          await closed(server);
        },
      };
    const there = inodeOf(address);
    const found = await askHolder(address);
    if (found !== null) {
      await closed(server);
      return refusedBy(found);
    }
    if (there !== null) removeDead(address, there, `${own}.dead`);
  }
  await closed(server);
  return refusedBy('unknown');
};

/** Takes the token for this process, or says who has it. Rejects only where the folder cannot be made or used. */
export const holdToken = ({
  token,
  holder,
  folder,
  platform = process.platform,
}: HoldOptions): Promise<TokenHold> => {
  const hash = createHash('sha256').update(token).digest('hex');
  return platform === 'linux'
    ? holdName(`\0bridge-daemon-telegram-${hash}`.padEnd(addressBytes, '.'), holder)
    : holdFile(join(folder, `${hash.slice(0, 16)}.sock`), holder);
};
