import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { lazily } from '../lazily.ts';
import { shells, type Shell } from '../shells.ts';

type NoFlags = Readonly<Record<string, never>>;

function parseShell(input: string): Shell {
  const shell = shells.find((each) => each === input);
  if (shell === undefined) throw new SyntaxError(`${input} is not one of ${shells.join(', ')}`);
  return shell;
}

export const completionCommand = buildCommand<NoFlags, [Shell], CliContext>({
  loader: lazily(async () => (await import('../verbs/completion.ts')).completion),
  parameters: {
    flags: {},
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: parseShell,
          proposeCompletions: (partial: string) => shells.filter((shell) => shell.startsWith(partial)),
          brief: shells.join(', '),
          placeholder: 'shell',
        },
      ],
    },
  },
  docs: {
    brief: 'Print the completion script of a shell',
    fullDescription: `EXAMPLES
  conference completion bash > ~/.local/share/bash-completion/completions/conference
  conference completion zsh > "\${fpath[1]}/_conference"
  conference completion fish > ~/.config/fish/completions/conference.fish
  source <(conference completion bash)    # for this shell only`,
  },
});

/** What the scripts call: the words typed so far, the last one unfinished. */
export const completeCommand = buildCommand<NoFlags, string[], CliContext>({
  loader: lazily(async () => (await import('../verbs/completion.ts')).complete),
  parameters: {
    flags: {},
    positional: { kind: 'array', parameter: { parse: String, brief: 'Words', placeholder: 'word' } },
  },
  docs: { brief: 'Propose completions, one a line: value, tab, description' },
});
