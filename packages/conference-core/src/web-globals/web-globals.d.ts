/**
 * The web-standard globals that pure code may use, declared for the build alone: it compiles without Node's
 * types, which proves that nothing else of Node is reached.
 */
interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(name: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(name: 'abort', listener: () => void): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label: 'utf-8', options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}
