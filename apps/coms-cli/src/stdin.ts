/**
 * All of stdin as text, up to a bound and only if it is UTF-8.
 */
const stdinBytesMax = 1_048_576;

export type StdinReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

export async function readStdin(stream: AsyncIterable<Buffer | string>): Promise<StdinReading> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > stdinBytesMax) return { ok: false, message: `stdin has more than ${stdinBytesMax} bytes` };
    chunks.push(part);
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { ok: false, message: 'stdin is not UTF-8' };
  }
}
