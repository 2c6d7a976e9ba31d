// Catches a good answer removed in place of the bad one that was judged.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQid } from '@x/bridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFolders, type Folders } from '../store/folders.ts';
import { lookAtEntry } from './read-answer.ts';
import { createRemover, type Remover } from './remove-answer.ts';

const text = '01J9ZQ4V7N3K8M2R5T6W8X9Y0A';
const qid = parseQid(text);
if (qid === null) throw new Error('no qid');
const name = `${text}.answer.json`;
const digestOf = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

let root = '';
let folders: Folders;
let remover: Remover;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bd-rm-'));
  const opened = openFolders(join(root, 'b', 'questions'));
  if (opened.code === 'refused') throw new Error(opened.message);
  ({ folders } = opened);
  remover = createRemover(folders);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = (): string => join(folders.questions, name);
const left = (): string[] => [...readdirSync(folders.questions), ...readdirSync(folders.removing)];

test('an answer is removed if it has the bytes that were taken, and a newer one under its name stays [DAEM-17]', async () => {
  writeFileSync(path(), 'taken');
  expect(await remover.removeAnswer(qid, digestOf('taken'))).toEqual({ code: 'removed' });
  expect(left()).toEqual([]);
  writeFileSync(path(), 'newer');
  expect(await remover.removeAnswer(qid, digestOf('taken'))).toEqual({ code: 'replaced' });
  expect(readFileSync(path(), 'utf8')).toBe('newer');
  expect(left()).toEqual([name]);
  rmSync(path());
  expect(await remover.removeAnswer(qid, digestOf('taken'))).toEqual({ code: 'removed' });
});

test('a rejected file that was replaced after it was judged stays [BRID-16]', async () => {
  writeFileSync(path(), 'bad');
  const judged = lookAtEntry(path(), folders.uid);
  if (judged.code !== 'entry') throw new Error('nothing there');
  rmSync(path());
  writeFileSync(path(), 'a good one');
  expect(await remover.removeEntry(name, judged)).toEqual({ code: 'replaced' });
  expect(readFileSync(path(), 'utf8')).toBe('a good one');
});

test('a folder under an answer’s name survives both ways of removal unless it is empty [DAEM-15]', async () => {
  mkdirSync(path());
  writeFileSync(join(path(), 'keep'), '');
  const look = lookAtEntry(path(), folders.uid);
  if (look.code !== 'entry') throw new Error('nothing there');
  expect(await remover.removeEntry(name, look)).toMatchObject({ code: 'failed' });
  expect(await remover.removeAnswer(qid, digestOf(''))).toEqual({ code: 'replaced' });
  expect(readdirSync(path())).toEqual(['keep']);
});

test('what a kill left set aside is put back at the next start, never over another answer [DAEM-12]', async () => {
  writeFileSync(join(folders.removing, `${text}.1.1.answer.json`), 'set aside');
  expect(await remover.recover()).toEqual([]);
  expect(readFileSync(path(), 'utf8')).toBe('set aside');
  writeFileSync(join(folders.removing, `${text}.1.2.answer.json`), 'another');
  expect(await remover.recover()).toEqual([`${text}.1.2.answer.json`]);
  expect(readFileSync(path(), 'utf8')).toBe('set aside');
});
