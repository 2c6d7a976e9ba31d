/** The bug these exist to catch: entries believed that anybody on the machine could have written. */
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestComs, startPeer, tempFolder } from '../../test/coms-dir.ts';
import { listen, openComs } from './index.ts';

const isRoot = process.getuid?.() === 0;

function codeOf(root: string): string {
  const opened = openComs({ root });
  return opened.ok ? 'ok' : opened.code;
}

test('a folder that is not there is fine and stays unmade until somebody listens', () => {
  const root = join(tempFolder(), 'coms');
  expect(codeOf(root)).toBe('ok');
  expect(statSync(root, { throwIfNoEntry: false })).toBeUndefined();
});

test('everything that is made is 0700, sockets and entries 0600 [COMS-09 COMS-13]', async () => {
  const coms = openTestComs();
  const peer = await startPeer(coms, { name: 'bob', project: 'docs' });
  const modes = (paths: string[]): string[] => paths.map((path) => (statSync(path).mode & 0o777).toString(8));
  const folders = [
    '',
    'sockets',
    'projects',
    'projects/docs',
    'projects/docs/agents',
    'claims',
    'claims/docs/bob',
  ];
  expect(modes(folders.map((folder) => join(coms.root, folder)))).toEqual(folders.map(() => '700'));
  expect(modes([peer.endpoint, join(coms.root, 'projects/docs/agents/bob.json')])).toEqual(['600', '600']);
});

describe('a folder that cannot be trusted is refused, with what to do', () => {
  for (const mode of [0o777, 0o770, 0o702]) {
    test(`mode ${mode.toString(8)} of the root, and of the folders below it [COMS-13]`, async () => {
      for (const below of ['', 'sockets', 'projects/default/agents', 'claims']) {
        const root = join(tempFolder(), 'coms');
        const path = join(root, below);
        mkdirSync(path, { recursive: true, mode: 0o700 });
        chmodSync(path, mode);
        const opened = openComs({ root });
        const refused = opened.ok ? await listen({ coms: opened.coms, name: 'bob', handlers: {} }) : opened;
        expect(refused).toMatchObject({ ok: false, code: 'FOLDER_WRITABLE_BY_OTHERS' });
        expect('message' in refused && refused.message).toContain(`chmod 700 ${path}`);
        expect((statSync(path).mode & 0o777).toString(8)).toBe(mode.toString(8));
      }
    });
  }

  test('others may read it: that is no danger [COMS-13]', () => {
    const root = tempFolder();
    chmodSync(root, 0o755);
    expect(codeOf(root)).toBe('ok');
  });

  test.skipIf(!isRoot)('the folder of another user (needs root to make one) [COMS-13]', () => {
    const root = tempFolder();
    chownSync(root, 12_345, 12_345);
    const opened = openComs({ root });
    expect(opened).toMatchObject({ ok: false, code: 'FOLDER_FOREIGN' });
    expect(!opened.ok && opened.message).toContain('PI_COMS_DIR');
  });

  test('a file in its place, and a link below the root [COMS-13]', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(codeOf(join(folder, 'file'))).toBe('NOT_A_FOLDER');
    mkdirSync(join(folder, 'root'), { mode: 0o700 });
    mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'root', 'sockets'));
    expect(codeOf(join(folder, 'root'))).toBe('NOT_A_FOLDER');
  });

  test('the root itself may be a link: the user names it', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'real'), { mode: 0o700 });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(codeOf(join(folder, 'link'))).toBe('ok');
  });
});

test('PI_COMS_DIR moves the folder, an argument goes before it [COMS-09]', () => {
  const env = { PI_COMS_DIR: '/tmp/none-a' };
  const opened = [openComs({ env }), openComs({ env, root: '/tmp/none-b' })];
  expect(opened.map((each) => each.ok && each.coms.root)).toEqual(['/tmp/none-a', '/tmp/none-b']);
  const fallback = openComs({ env: {} });
  expect(fallback.ok ? fallback.coms.root : fallback.path).toMatch(/\/\.pi\/coms$/);
});
