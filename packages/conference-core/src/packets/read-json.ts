/**
 * A strict JSON reader (02 Reading what a child sends). `JSON.parse` takes the last of two equal keys, rounds big
 * integers, turns `1e999` into Infinity and says nothing of where it stopped; a packet must mean one thing.
 *
 * R1 Linear in the text, nesting bounded by `PACKET_DEPTH_MAX`, no other recursion.
 * R2 Objects have no prototype, so `__proto__` is a key like any other, and the schema refuses it.
 * R3 Every string is well-formed: half a surrogate pair could not be written as canonical JSON.
 */
import { PACKET_DEPTH_MAX } from '@x/protocol';
import { faultAt, type ReadFault } from './read-fault.ts';
import { readNumber } from './read-number.ts';

export type ValueRead = { readonly ok: true; readonly value: unknown } | ReadFault;

/** The value of a JSON text, or where and why it has none. */
export function readJson(text: string): ValueRead {
  const reader = new JsonReader(text);
  const value = reader.document();
  return reader.fault ?? { ok: true, value };
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /[-+.0-9a-zA-Z]+/y;
// Everything that a string may hold unescaped.
// oxlint-disable-next-line no-control-regex -- control characters are what must end the run
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const HEX4 = /^[0-9a-fA-F]{4}$/;

/** Methods give `undefined` once `fault` is set; every caller looks at `fault` before it uses a value. */
class JsonReader {
  fault: ReadFault | null = null;
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value(1);
    if (this.fault !== null) return undefined;
    this.#skip();
    return this.#at < this.#text.length ? this.#fail('nothing after the value') : value;
  }

  #fail(expected: string): undefined {
    this.fault ??= faultAt(this.#path, expected);
    return undefined;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #value(depth: number): unknown {
    this.#skip();
    const first = this.#peek();
    if (first === '{') return depth > PACKET_DEPTH_MAX ? this.#tooDeep() : this.#object(depth);
    if (first === '[') return depth > PACKET_DEPTH_MAX ? this.#tooDeep() : this.#array(depth);
    if (first === '"') return this.#string();
    return this.#word();
  }

  #tooDeep(): undefined {
    return this.#fail(`at most ${PACKET_DEPTH_MAX} levels of nesting`);
  }

  #word(): unknown {
    const word = this.#match(NUMBER);
    if (word === '')
      return this.#fail(this.#at < this.#text.length ? 'a JSON value' : 'a JSON value, not the end');
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    const number = readNumber(word);
    return number.ok ? number.value : this.#fail(number.expected);
  }

  #object(depth: number): unknown {
    const object = Object.create(null) as Record<string, unknown>;
    this.#at += 1;
    this.#skip();
    if (this.#take('}')) return object;
    for (;;) {
      this.#skip();
      if (this.#peek() !== '"') return this.#fail('a key in double quotes');
      const key = this.#string();
      if (key === undefined) return undefined;
      this.#path.push(key);
      if (key in object) return this.#fail('each key once');
      this.#skip();
      if (!this.#take(':')) return this.#fail('a colon after the key');
      object[key] = this.#value(depth + 1);
      if (this.fault !== null) return undefined;
      this.#path.pop();
      this.#skip();
      if (this.#take('}')) return object;
      if (!this.#take(',')) return this.#fail('a comma or } after a member');
    }
  }

  #array(depth: number): unknown {
    const array: unknown[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#take(']')) return array;
    for (;;) {
      this.#path.push(array.length);
      array.push(this.#value(depth + 1));
      if (this.fault !== null) return undefined;
      this.#path.pop();
      this.#skip();
      if (this.#take(']')) return array;
      if (!this.#take(',')) return this.#fail('a comma or ] after an entry');
    }
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #string(): string | undefined {
    const parts: string[] = [];
    this.#at += 1;
    for (;;) {
      parts.push(this.#match(PLAIN));
      const next = this.#peek();
      if (next === '"') {
        this.#at += 1;
        const text = parts.join('');
        return text.isWellFormed() ? text : this.#fail('whole characters, not half a surrogate pair');
      }
      if (next === '') return this.#fail('a closing quote');
      if (next !== '\\') return this.#fail('control characters escaped');
      const escaped = this.#escape();
      if (escaped === undefined) return undefined;
      parts.push(escaped);
    }
  }

  #escape(): string | undefined {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!HEX4.test(digits)) return this.#fail('four hex digits after \\u');
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (character === undefined) return this.#fail('an escape that JSON has');
    this.#at += 2;
    return character;
  }
}
