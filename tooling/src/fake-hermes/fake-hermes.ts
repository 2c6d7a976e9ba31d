/**
 * A `hermes` for tests: put on PATH, it records how it was called and behaves as told, per run.
 */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface FakeHermes {
  /** To be set for the process that runs `hermes`: it stands first on PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** The arguments of each run so far, in the order of their starts. A run that is still being recorded is left out. */
  runs(): string[][];
  /** Shell commands that every later run carries out after recording itself; null: nothing, and exit 0. */
  behave(commands: string | null): void;
  /** From now on there is no `hermes`, until `install`. */
  uninstall(): void;
  install(): void;
}

const endMark = 'END-OF-ARGUMENTS';

/** Makes `bin/hermes` and its records in `folder`, which must exist. */
export const createFakeHermes = (folder: string): FakeHermes => {
  const bin = join(folder, 'bin');
  const runsDir = join(folder, 'runs');
  mkdirSync(bin, { recursive: true });
  mkdirSync(runsDir, { recursive: true });
  const install = (): void => copyFileSync(new URL('hermes', import.meta.url), join(bin, 'hermes'));
  install();
  return {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, FAKE_HERMES_DIR: folder },
    runs: () =>
      readdirSync(runsDir)
        .map((file) => {
          const path = join(runsDir, file);
          return {
            at: statSync(path, { bigint: true }).mtimeNs,
            args: readFileSync(path, 'utf8').split('\0'),
          };
        })
        .filter(({ args }) => args.at(-2) === endMark)
        .sort((one, other) => Number(one.at - other.at))
        .map(({ args }) => args.slice(0, -2)),
    behave: (commands) => {
      const path = join(folder, 'behave');
      if (commands === null) return rmSync(path, { force: true });
      writeFileSync(`${path}.new`, `${commands}\n`);
      renameSync(`${path}.new`, path);
    },
    uninstall: () => rmSync(join(bin, 'hermes'), { force: true }),
    install,
  };
};
