// The bug: a request that may have been carried out taken for one that never left, and made again without a mark.
import { expect, test } from 'vitest';
import { neverReached } from './network-error.ts';

const fault = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

test.each([
  fault('ECONNREFUSED'),
  fault('ENOTFOUND'),
  fault('ETIMEDOUT', { syscall: 'connect' }),
  fault('DEPTH_ZERO_SELF_SIGNED_CERT'),
  fault('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  fault('CERT_HAS_EXPIRED'),
  fault('ERR_TLS_CERT_ALTNAME_INVALID'),
  fault('ERR_SSL_WRONG_VERSION_NUMBER'),
  fault('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'),
  fault('ERR_SSL_UNSUPPORTED_PROTOCOL'),
])('%s comes before a request can leave', (error) => {
  expect(neverReached(error)).toBe(true);
});

test.each([
  fault('ECONNRESET'),
  fault('EPIPE', { syscall: 'write' }),
  fault('ETIMEDOUT', { syscall: 'read' }),
  fault('UND_ERR_SOCKET'),
  fault('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'),
  fault('ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC'),
  fault('ERR_SSL_UNEXPECTED_EOF_WHILE_READING'),
  new Error('a bug'),
  null,
])('%s may come after the request was carried out [DAEM-12]', (error) => {
  expect(neverReached(error)).toBe(false);
});
