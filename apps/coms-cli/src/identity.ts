/**
 * Which project and name this command acts for. Precedence: flag, `COMS_CLI_PROJECT` / `COMS_CLI_NAME`, default.
 */
import { isPeerName, isProjectName } from '@x/coms-envelope';
import { openComs, type Coms } from '@x/coms-envelope/registry';
import type { CliContext } from './context.ts';
import { exitCode } from './exit-code.ts';

export interface Identity {
  readonly coms: Coms;
  readonly project: string;
  /** Our own name, which is also the name of the spool folder. */
  readonly name: string;
}

const projectDefault = 'default';
const nameDefault = 'cli';

function given(...values: (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '');
}

/** Resolves both, or says on stderr what is wrong and gives null. */
export function resolveIdentity(
  context: CliContext,
  flags: { project?: string; name?: string },
): Identity | null {
  const project = given(flags.project, context.env['COMS_CLI_PROJECT']) ?? projectDefault;
  const name = given(flags.name, context.env['COMS_CLI_NAME']) ?? nameDefault;
  if (!isProjectName(project)) {
    context.err(
      `coms: ${JSON.stringify(project)} is no project name: letters, digits, dots, _ and -, no two dots in a row (--project, COMS_CLI_PROJECT)`,
    );
    context.exit(exitCode.usage);
    return null;
  }
  if (!isPeerName(name)) {
    context.err(
      `coms: ${JSON.stringify(name)} is no peer name: at most 64 letters, digits, _ and -, not "projects" (--name, COMS_CLI_NAME)`,
    );
    context.exit(exitCode.usage);
    return null;
  }
  const opened = openComs({ env: context.env });
  if (!opened.ok) {
    context.err(`coms: ${opened.message}`);
    context.exit(exitCode.failed);
    return null;
  }
  return { coms: opened.coms, project, name };
}
