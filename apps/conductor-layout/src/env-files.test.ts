import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hideValues, readEnvFiles } from './env-files.ts';

let root = '';
let checkout = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'conductor-env-'));
  checkout = join(root, 'repo');
  mkdirSync(join(checkout, 'sub'), { recursive: true });
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function problemsOf(...files: string[]): readonly string[] {
  const read = readEnvFiles(checkout, files);
  return read.ok ? [] : read.problems;
}

test('values are read as they are meant: quotes, remarks, several lines, an empty one [LAYO-03]', () => {
  const text = '\uFEFF# remark\nA=1\nB="x y" # more\nexport C=3\nD=\'a\nb\'\nE=\r\nF=a=b\n';
  writeFileSync(join(checkout, '.env'), text);
  const read = readEnvFiles(checkout, ['.env']);
  expect(read.ok && read.values.get('.env')).toEqual({
    A: '1',
    B: 'x y',
    C: '3',
    D: 'a\nb',
    E: '',
    F: 'a=b',
  });
});

test('a variable called __proto__ is one, and changes no prototype', () => {
  writeFileSync(join(checkout, '.env'), '__proto__=x\nA=1\n');
  const read = readEnvFiles(checkout, ['.env']);
  const env = read.ok ? read.values.get('.env') : undefined;
  expect(Object.getPrototypeOf(env)).toBe(Object.prototype);
  expect(env?.['A']).toBe('1');
});

test('a missing file is told by name, each of several [LAYO-03]', () => {
  expect(problemsOf('a.env', 'sub/b.env')).toEqual([
    'env_file "a.env" does not exist',
    'env_file "sub/b.env" does not exist',
  ]);
});

test('a folder, a FIFO and a file that is too large are refused without being read [LAYO-03]', () => {
  execFileSync('mkfifo', [join(checkout, 'fifo')]);
  writeFileSync(join(checkout, 'large'), 'A=1\n'.repeat(20_000));
  expect(problemsOf('sub', 'fifo', 'large')).toEqual([
    'env_file "sub" is not a regular file',
    'env_file "fifo" is not a regular file',
    'env_file "large" is larger than 65536 bytes',
  ]);
});

test('a link that leads out of the repository is refused, one inside is followed [LAYO-03]', () => {
  writeFileSync(join(root, 'outside.env'), 'A=1\n');
  writeFileSync(join(checkout, 'sub', 'inside.env'), 'A=2\n');
  symlinkSync(join(root, 'outside.env'), join(checkout, 'out'));
  symlinkSync(root, join(checkout, 'up'));
  symlinkSync(join(checkout, 'sub', 'inside.env'), join(checkout, 'in'));
  expect(problemsOf('out', 'up/outside.env', 'in')).toEqual([
    'env_file "out" leads out of the repository by a link',
    'env_file "up/outside.env" leads out of the repository by a link',
  ]);
});

test('a folder beside the repository that begins with its name is not inside [LAYO-03]', () => {
  mkdirSync(join(root, 'repo-evil'));
  writeFileSync(join(root, 'repo-evil', 'x'), 'A=1\n');
  symlinkSync(join(root, 'repo-evil', 'x'), join(checkout, 'x'));
  expect(problemsOf('x')).toEqual(['env_file "x" leads out of the repository by a link']);
});

test('a line that is no NAME=value is refused, and not a letter of it is shown [LAYO-09]', () => {
  writeFileSync(join(checkout, '.env'), 'A=1\ncanary-secret-value\nB=2\n');
  const [problem, ...more] = problemsOf('.env');
  expect(more).toEqual([]);
  expect(problem).toBe('env_file ".env" has a line that is not NAME=value');
});

test('bytes that are not UTF-8 are refused [LAYO-03]', () => {
  writeFileSync(join(checkout, '.env'), Buffer.from([0x41, 0x3d, 0xff, 0x0a]));
  expect(problemsOf('.env')).toEqual(['env_file ".env" is not UTF-8 text']);
});

test('values are taken out of a foreign text: whole, escaped, line by line, the longest first [LAYO-09]', () => {
  const values = new Map([
    ['.env', { A: 'secret', B: 'secret-and-more', C: 'quote"inside', D: 'line one\nline two', E: '1' }],
  ]);
  const text = `got secret-and-more, secret, ${JSON.stringify('quote"inside')}, line two and 1`;
  expect(hideValues(text, values)).toBe(
    'got [value of an env file], [value of an env file], "[value of an env file]", [value of an env file] and 1',
  );
});
