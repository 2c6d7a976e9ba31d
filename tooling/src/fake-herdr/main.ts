/**
 * The fake herdr for a person to try a launcher against: `tsx tooling/src/fake-herdr/main.ts SOCKET_PATH`.
 * Each request is printed with what stands open after it; no pane runs anything. Ctrl-C ends it.
 */
import { startFakeHerdr } from './fake-herdr.ts';
import type { FakeHerdr } from './fake-herdr.ts';

/** How often the fake is looked at for something new to print. */
const LOOK_MS = 50;

const [socketPath] = process.argv.slice(2);
if (socketPath === undefined) {
  process.stderr.write('usage: tsx tooling/src/fake-herdr/main.ts SOCKET_PATH\n');
  process.exitCode = 2;
} else {
  const herdr = await startFakeHerdr({ socketPath });
  process.stdout.write(`listening: HERDR_SOCKET_PATH=${socketPath}\n`);
  let printed = 0;
  const timer = setInterval(() => {
    const fresh = herdr.requests.slice(printed);
    printed += fresh.length;
    for (const { method } of fresh) process.stdout.write(`${method}\n`);
    if (fresh.length > 0) process.stdout.write(picture(herdr));
  }, LOOK_MS);
  process.once('SIGINT', () => {
    clearInterval(timer);
    void herdr.close();
  });
}

function picture({ workspaces }: FakeHerdr): string {
  const lines = workspaces.flatMap(({ workspaceId, label, tabs }) => [
    `  ${workspaceId} ${label}`,
    ...tabs.flatMap(({ tabId, panes }) => [
      `    ${tabId}`,
      ...panes.map(({ paneId, label: name, command }) => `      ${paneId} ${name}: ${command.join(' ')}`),
    ]),
  ]);
  return `${lines.join('\n')}\n`;
}
