/** Catches: a README whose program does not run, or that names what is not exported. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as pure from '../src/index.ts';
import * as node from '../src/node/index.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the program of the README runs and says what it promises', () => {
  const [, program = ''] = /```js\n(.*?)```/su.exec(text) ?? [];
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(output).toContain('line 1 (byte 0): the line was changed after it was written');
});

test('what the package exports is pinned by name', () => {
  expect(Object.keys(pure).toSorted()).toEqual([
    'LedgerError',
    'asDigest',
    'canonicalJson',
    'canonicalize',
    'checkGrant',
    'checkWrite',
    'createChainVerifier',
    'createGroupCommit',
    'depthMax',
    'digestOf',
    'digestOfJson',
    'emptyHead',
    'encodeLine',
    'eventCharsMax',
    'groupBytesMaxDefault',
    'groupEntriesMaxDefault',
    'hexOf',
    'isDigest',
    'isFault',
    'isTimestamp',
    'lineBytesMaxDefault',
    'memoryContentStore',
    'memoryLedger',
    'parseDigest',
    'portableSha256',
    'sameHead',
    'verifyChain',
    'verifyLine',
    'zeroDigest',
  ]);
  expect(Object.keys(node).toSorted()).toEqual([
    'fileContentStore',
    'followLedger',
    'inspectLock',
    'isTemporaryName',
    'lockFileName',
    'lockFolder',
    'lockWaitMsDefault',
    'nodeSha256',
    'openGrantedRoot',
    'openLedger',
    'readLedger',
    'rewindRecordsMax',
    'verifyLedger',
  ]);
});

test('the pure part imports nothing of Node', () => {
  const file = readFileSync(new URL('../dist/index.js', import.meta.url), 'utf8');
  const seen = new Set<string>();
  const visit = (name: string, source: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const [, from = ''] of source.matchAll(/from '([^']+)'/gu)) {
      expect(from).not.toMatch(/^node:|^fs$|\/node\//u);
      if (from.startsWith('./'))
        visit(from, readFileSync(new URL(`../dist/${from.slice(2)}`, import.meta.url), 'utf8'));
    }
  };
  visit('index', file);
  expect(seen.size).toBeGreaterThan(10);
});

test('both ways of hashing agree', () => {
  for (const data of ['', 'abc', 'їжак 🙂', new Uint8Array(100_000)])
    expect(node.nodeSha256(data)).toBe(pure.portableSha256(data));
});
