/**
 * One accepted connection: its lines handled in order, its silence and its size bounded (04 Wire).
 *
 * S1 One envelope of a connection is handled at a time; meanwhile at most one more chunk is read from it.
 * S2 A reply is written only when the handler has settled: an ack says that the envelope was taken.
 * S3 Nothing that arrives, and nothing that a handler throws, leaves this file as an exception.
 */
import type { Socket } from 'node:net';
import { createEnvelopeReader, encodeLine, type Incoming } from '../envelope-reader.ts';
import type { Reply } from '../envelope.ts';
import type { ComsLimits } from '../limits.ts';

/** The answer to one line; `afterwards` runs when it has been written. */
export interface Answer {
  readonly reply: Reply;
  readonly afterwards?: () => Promise<void>;
}

/** Decides the answer to what was read. Must not reject. */
export type Answerer = (incoming: Incoming) => Promise<Answer>;

export interface Connection {
  /** Milliseconds of a monotonic clock since when it waits for a line, or for its handler. */
  readonly waitingSinceMs: number;
  /** True while an envelope is being handled. */
  readonly busy: boolean;
  /** Ends it, answered or not. */
  destroy(): void;
}

class ServedConnection implements Connection {
  waitingSinceMs = performance.now();
  busy = false;
  readonly #socket: Socket;
  readonly #answerer: Answerer;
  readonly #limits: ComsLimits;
  readonly #reader: ReturnType<typeof createEnvelopeReader>;
  #waiting: Incoming[] = [];
  #inputEnded = false;
  #refused = false;

  constructor(socket: Socket, answerer: Answerer, limits: ComsLimits) {
    this.#socket = socket;
    this.#answerer = answerer;
    this.#limits = limits;
    this.#reader = createEnvelopeReader(limits);
    socket.on('data', (chunk: Buffer) => this.#take(this.#refused ? [] : this.#reader.push(chunk)));
    socket.on('end', () => {
      this.#inputEnded = true;
      this.#take(this.#reader.end());
    });
    socket.on('error', () => socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(items: Incoming[]): void {
    if (this.busy) {
      this.#waiting = this.#waiting.concat(items);
      this.#socket.pause();
      return;
    }
    this.#waiting = items;
    // The answerer does not reject; should the program's own fault handler throw, this connection alone pays (S3).
    void this.#work().catch(() => this.#socket.destroy());
  }

  async #work(): Promise<void> {
    if (this.#waiting.length > 0) {
      this.busy = true;
      await this.#answerAll();
      this.busy = false;
      if (this.#socket.isPaused()) this.#socket.resume();
    }
    if (this.#inputEnded || this.#refused) this.#close();
  }

  /** Nothing left to write, and nothing left to read: the shutdown in between would tell nobody anything. */
  #close(): void {
    if (this.#inputEnded && this.#socket.writableLength === 0) this.#socket.destroy();
    else this.#socket.end();
  }

  async #answerAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#socket.destroyed) {
      const items = this.#waiting;
      this.#waiting = [];
      for (const item of items) {
        if (this.#socket.destroyed || this.#refused) break;
        await this.#answer(item);
      }
    }
  }

  async #answer(item: Incoming): Promise<void> {
    this.waitingSinceMs = performance.now();
    const { reply, afterwards } = await this.#answerer(item);
    await this.#write(reply);
    if (item.kind === 'fault' && item.code === 'LINE_TOO_LARGE') this.#refuse();
    await afterwards?.();
    this.waitingSinceMs = performance.now();
  }

  /** Writes one reply, and waits where the client does not read: the server's sweep ends such a connection. */
  async #write(reply: Reply): Promise<void> {
    const encoded = encodeLine(reply, this.#limits.lineUnitsMax);
    const line = encoded.ok ? encoded.line : tooLargeReply(reply);
    if (this.#socket.destroyed || this.#socket.write(line)) return;
    await new Promise<void>((resolve) => {
      this.#socket.once('drain', resolve);
      this.#socket.once('close', resolve);
    });
  }

  /** What still comes is read and thrown away for a moment: a client in mid-write would never see the refusal. */
  #refuse(): void {
    this.#refused = true;
    this.#waiting = [];
    const timer = setTimeout(() => this.#socket.destroy(), this.#limits.lingerMs);
    this.#socket.once('close', () => clearTimeout(timer));
  }
}

function tooLargeReply(reply: Reply): string {
  const short = { type: 'nack', msg_id: '', error: `the ${reply.type} does not fit in one line` };
  return `${JSON.stringify(short)}\n`;
}

/** Serves one accepted socket, which must allow half-open ends: a client may end its side before it is answered. */
export function serveConnection(socket: Socket, answerer: Answerer, limits: ComsLimits): Connection {
  return new ServedConnection(socket, answerer, limits);
}
