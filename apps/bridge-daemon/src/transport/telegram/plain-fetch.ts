/**
 * Node's own `fetch` in the form grammY wants, giving answers of the Bot API's form alone: whatever else came is told as
 * what stood in between. It follows no redirect and reads no body without end.
 */
import { telegramLimits } from './telegram-limits.ts';

/** Of a page. A 401 or 404 that is not the Bot API's own says nothing of the token: it is a refusal and no more. */
const pageStatus = (status: number): number => {
  if (status < 300) return 502;
  return status === 401 || status === 404 ? 400 : status;
};

/** Whether it is an answer of the Bot API's form; grammY and what stands above take that for granted. */
const isApiAnswer = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  if (value.ok === true) return 'result' in value;
  return (
    value.ok === false &&
    'error_code' in value &&
    Number.isSafeInteger(value.error_code) &&
    'description' in value &&
    typeof value.description === 'string'
  );
};

/** A body that is not the Bot API's, such as a proxy's page, in the Bot API's form; the API's own is left as it is. */
const apiBody = (body: string, status: number): string => {
  try {
    if (isApiAnswer(JSON.parse(body))) return body;
  } catch {
    // Said below.
  }
  const description = `HTTP ${status} without an answer of the Bot API: something in between gave it`;
  return JSON.stringify({ ok: false, error_code: pageStatus(status), description });
};

/** The whole body. Throws where it is longer than any answer, and reads no more of it. */
const boundedText = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    bytes += value.byteLength;
    if (bytes > telegramLimits.answerBytes) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`its answer is longer than ${telegramLimits.answerBytes} bytes`);
    }
    chunks.push(value);
  }
};

/** Node's own `fetch`, in the form grammY wants: its signal may be a stand-in that `fetch` refuses. */
export const plainFetch = async (
  url: unknown,
  init: { method?: string; headers?: unknown; body?: unknown; signal?: unknown } = {},
): Promise<Response> => {
  const controller = new AbortController();
  const given = init.signal as AbortSignal | undefined; // Both kinds have what is used of it.
  const abort = (): void => controller.abort();
  if (given?.aborted === true) abort();
  given?.addEventListener('abort', abort);
  try {
    const response = await fetch(String(url), {
      method: init.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      body: typeof init.body === 'string' ? init.body : null,
      // An address that holds the token is handed on to nobody.
      redirect: 'manual',
      signal: controller.signal,
    });
    return new Response(apiBody(await boundedText(response), response.status), { status: 200 });
  } finally {
    given?.removeEventListener('abort', abort);
  }
};
