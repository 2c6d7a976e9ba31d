/** The command line: its words, flags and help. The code behind it is loaded when it is called. */
import { buildApplication, buildCommand, FlagNotFoundError, numberParser, text_en } from '@stricli/core';
import type { Application, PartialApplicationConfiguration } from '@stricli/core';
import packageJson from '../package.json' with { type: 'json' };
import type { Format, LayoutFlags } from './commands/layout.ts';
import { DESCRIPTION } from './help-text.ts';
import { DEFAULT_PROJECT } from './plan/workspace-label.ts';
import type { World } from './world.ts';

const FORMATS: readonly Format[] = ['json', 'tree', 'svg'];

/** A drawing narrower than this names nothing; wider ones only stretch it. */
const WIDTH_MIN = 8;
const WIDTH_MAX = 500;

export const CONFIGURATION: PartialApplicationConfiguration = {
  name: 'conductor-layout',
  versionInfo: { currentVersion: packageJson.version },
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  documentation: { caseStyle: 'convert-camel-to-kebab', disableAnsiColor: true },
  localization: {
    text: {
      ...text_en,
      exceptionWhileParsingArguments(error, ansiColor) {
        // The library offers the name in our code (`--dryRun`) where a person types `--dry-run`.
        if (!(error instanceof FlagNotFoundError))
          return text_en.exceptionWhileParsingArguments(error, ansiColor);
        const meant = error.corrections.map(
          (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        );
        const hint = meant.length === 0 ? 'see --help' : `did you mean ${meant.join(' or ')}?`;
        return `no flag --${error.input}: ${hint}`;
      },
    },
  },
};

const layout = buildCommand<LayoutFlags, [team?: string], World>({
  async loader() {
    const { layoutCommand } = await import('./commands/layout.ts');
    return function (flags, team) {
      return layoutCommand(this, flags, team);
    };
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          brief: 'A team of the teams file',
          placeholder: 'team',
          parse: String,
          optional: true,
          proposeCompletions: proposeTeams,
        },
      ],
    },
    flags: {
      dryRun: {
        kind: 'boolean',
        brief: 'Print the plan and open nothing',
        withNegated: false,
        default: false,
      },
      format: {
        kind: 'enum',
        values: FORMATS,
        brief: 'How --dry-run prints: json (default), tree, svg',
        optional: true,
      },
      width: {
        kind: 'parsed',
        parse: parseWidth,
        brief: 'Columns of the tree (default: the terminal)',
        placeholder: 'columns',
        optional: true,
      },
      peers: {
        kind: 'parsed',
        parse: parsePath,
        brief: 'The teams file (default: .pi/agents/peers.yaml here or above)',
        placeholder: 'file',
        optional: true,
      },
      project: {
        kind: 'parsed',
        parse: String,
        brief: 'The coms project of the peers',
        placeholder: 'name',
        default: DEFAULT_PROJECT,
      },
      conductor: {
        kind: 'boolean',
        brief: 'A conductor pane beside the peers; --no-conductor for the peers alone',
        default: true,
      },
    },
  },
  docs: {
    brief: 'Print or open the terminal layout of a team beside its conductor',
    fullDescription: DESCRIPTION,
    customUsage: [
      '<team> [--no-conductor] [--project name] [--peers file]',
      '<team> --dry-run [--format json|tree|svg] [--width columns] [--no-conductor] [--project name] [--peers file]',
      'completion bash|zsh|fish',
    ],
  },
});

export const app: Application<World> = buildApplication(layout, CONFIGURATION);

function parseWidth(input: string): number {
  const width = numberParser(input);
  if (Number.isInteger(width) && width >= WIDTH_MIN && width <= WIDTH_MAX) return width;
  throw new RangeError(`${input} is not a whole number from ${WIDTH_MIN} to ${WIDTH_MAX}`);
}

/** An empty word is mostly a variable that is not set; it would name the current folder. */
function parsePath(input: string): string {
  if (input !== '') return input;
  throw new RangeError('the path is empty');
}

async function proposeTeams(this: World, partial: string): Promise<readonly string[]> {
  const { teamNames } = await import('./completion/team-names.ts');
  return teamNames(this).filter((name) => name.startsWith(partial));
}
