/** `conductor-layout completion`: prints a shell's script, or proposes words to such a script. */
import { buildApplication, buildCommand, buildRouteMap, proposeCompletions } from '@stricli/core';
import type { Application, Command } from '@stricli/core';
import { app, CONFIGURATION } from '../app.ts';
import type { World } from '../world.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';
import type { Shell } from './scripts.ts';

function scriptCommand(shell: Shell): Command<World> {
  return buildCommand({
    func(this: World) {
      this.process.stdout.write(SCRIPTS[shell]);
    },
    parameters: {},
    docs: { brief: `Print the completion script for ${shell}` },
  });
}

const propose = buildCommand({
  async func(this: World, _flags: unknown, ...words: string[]) {
    const lines = await proposalsFor(this, words);
    this.process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'The words so far', placeholder: 'word', parse: String },
    },
  },
  docs: { brief: 'Propose words for the last of the words given, one a line' },
});

/** What may stand for the last of the words; this verb is no part of the command's own line. */
async function proposalsFor(world: World, words: readonly string[]): Promise<string[]> {
  const last = words.at(-1) ?? '';
  if (words[0] === 'completion' && words.length === 2)
    return SHELLS.filter((shell) => shell.startsWith(last));
  const proposals = await proposeCompletions(app, words, { ...world, words });
  const verb = words.length <= 1 && 'completion'.startsWith(last) ? ['completion'] : [];
  return [...proposals.map(({ completion }) => completion), ...verb];
}

const [bash, zsh, fish] = SHELLS;

export const completionApp: Application<World> = buildApplication(
  buildRouteMap({
    routes: { [bash]: scriptCommand(bash), [zsh]: scriptCommand(zsh), [fish]: scriptCommand(fish), propose },
    docs: {
      brief: 'Completion of conductor-layout for your shell',
      hideRoute: { propose: true },
    },
  }),
  { ...CONFIGURATION, name: 'conductor-layout completion' },
);
