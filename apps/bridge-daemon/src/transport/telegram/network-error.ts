/** What went wrong below HTTP: whether a request can have left at all, and the network's own words. */
import { HttpError } from 'grammy';

const fieldOf = (error: unknown, field: 'code' | 'syscall' | 'message'): string => {
  if (typeof error !== 'object' || error === null || !(field in error)) return '';
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : '';
};

/** The innermost errors: what the network said, without the wrappers. At most 8 deep. */
export const rootCauses = (error: unknown, depth = 0): unknown[] => {
  if (depth >= 8) return [error];
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.flatMap((inner: unknown) => rootCauses(inner, depth + 1));
  if (error instanceof HttpError) return rootCauses(error.error, depth + 1);
  return error instanceof Error && error.cause !== undefined ? rootCauses(error.cause, depth + 1) : [error];
};

const neverReachedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/**
 * A certificate that is not trusted, or a handshake that failed: no request left. Of OpenSSL's own errors only those of a
 * handshake, for a record that was spoilt on the way may be one of the answer.
 */
const noTrust =
  /CERT|SELF_SIGNED|SIGNATURE|^ERR_TLS|^ERR_SSL_.*(HANDSHAKE|VERSION|PROTOCOL|UNRECOGNIZED_NAME|HTTP_REQUEST)|ISSUER/;

export const neverReached = (error: unknown): boolean => {
  const code = fieldOf(error, 'code');
  if (neverReachedCodes.has(code) || noTrust.test(code)) return true;
  if (['connect', 'getaddrinfo'].includes(fieldOf(error, 'syscall'))) return true;
  return fieldOf(error, 'message').includes('before secure TLS connection');
};

export const wordsOf = (errors: readonly unknown[]): string => {
  const [first] = errors;
  const code = fieldOf(first, 'code');
  const message = fieldOf(first, 'message');
  if (code === '' || message.includes(code)) return message === '' ? 'no answer' : message;
  return message === '' ? code : `${message} (${code})`;
};
