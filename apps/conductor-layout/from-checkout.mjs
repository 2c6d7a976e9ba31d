/**
 * The command as the justfile and the package scripts of this repository run it: built when its sources are
 * newer, and with the sample teams where `--peers` names no others.
 *
 * Whatever installing and building print goes to stderr: stdout is the command's own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const app = fileURLToPath(new URL('.', import.meta.url));
const main = join(app, 'dist', 'main.js');

function build() {
  const options = { cwd: app, stdio: ['ignore', 2, 2] };
  if (!existsSync(join(app, 'node_modules'))) execFileSync('npx', ['--yes', 'pnpm@12', 'install'], options);
  execFileSync(process.execPath, ['build.mjs'], options);
}

function isStale() {
  if (!existsSync(main)) return true;
  const builtAt = statSync(main).mtimeMs;
  const sources = readdirSync(join(app, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join('src', file));
  return [...sources, 'package.json', 'build.mjs'].some(
    (file) => statSync(join(app, file)).mtimeMs > builtAt,
  );
}

try {
  if (isStale()) build();
} catch (error) {
  // What went wrong was printed by the program that failed.
  process.stderr.write(`conductor-layout: could not be built (${error.message})\n`);
  process.exit(1);
}

const words = process.argv.slice(2);
const takesSample = words[0] !== 'completion' && !words.includes('--peers');
const sample = takesSample ? ['--peers', join(app, 'examples', 'peers.yaml')] : [];
process.argv.splice(1, process.argv.length, main, ...sample, ...words);
await import(main);
