/**
 * One owner a token on this machine: two that poll with one token take each other's updates away (cases "Two pollers on
 * one token"). The name is a hash of the token, so that every start finds it, whatever folder or user it runs with.
 *
 * On Linux it is a socket without a file, gone with its process however that ends. Elsewhere it is a socket file, which a
 * later start replaces only when nobody answers there.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
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

const addressOf = ({ token, folder, platform = process.platform }: HoldOptions): string => {
  const hash = createHash('sha256').update(token).digest('hex');
  return platform === 'linux'
    ? `\0bridge-daemon-telegram-${hash}`.padEnd(addressBytes, '.')
    : join(folder, `${hash.slice(0, 16)}.sock`);
};

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
  await new Promise((resolve) => setTimeout(resolve, tryAgainMs / 2));
  const found = await askHolder(address);
  return found !== null && found !== 'unknown' && found.pid === holder.pid && found.since === holder.since;
};

/** For every start of this user the same, wherever its state lies. */
export const lockFolder = (): string => join(homeFolder(), '.pi', 'coms', 'hermes-bridge', 'locks');

/** Takes the token for this process, or says who has it. Rejects only where the folder cannot be made. */
export const holdToken = async (options: HoldOptions): Promise<TokenHold> => {
  const { holder, folder, platform = process.platform } = options;
  const address = addressOf(options);
  const isFile = platform !== 'linux';
  if (isFile && Buffer.byteLength(address) >= pathBytesMax)
    return {
      code: 'refused',
      holder: null,
      message: `${address} is too long for a socket (${pathBytesMax - 1} bytes): run with a shorter HOME`,
    };
  if (isFile) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < triesMax; tries += 1) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${JSON.stringify(holder)}\n`);
    });
    const failed = await listenAt(server, address);
    if (failed === null) {
      server.on('error', () => undefined);
      if (isFile) chmodSync(address, 0o600);
      if (!isFile || (await isOurs(address, holder)))
        return {
          code: 'held',
          release: () => new Promise<void>((resolve) => server.close(() => resolve())),
        };
      server.close();
    } else if (failed !== 'EADDRINUSE')
      return {
        code: 'refused',
        holder: null,
        message: `the bot token cannot be taken for this process (${failed})`,
      };
    const found = await askHolder(address);
    if (found !== null) return refusedBy(found);
    if (isFile) rmSync(address, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  }
  return refusedBy('unknown');
};
