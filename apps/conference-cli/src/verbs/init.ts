/**
 * `conference init [DIR]`: writes a conference.md from a template, from flags, or from answers at the terminal (07).
 *
 * I1 A file that is there is never written over, unless `--force` says so; one of a conference that has begun never is.
 * I2 What was given stands in the file so that a reader finds it as it was given, else nothing is written.
 */
import { existsSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFERENCE_MD, EVENTS_JSONL, startGate, type GateFinding, type Given } from '@x/conference-core';
import type { CliContext } from '../context.ts';
import { readConferenceMd } from '../conference-md/read-conference-md.ts';
import { exitCode } from '../exit-code.ts';
import { fail, print, usage, type Failure } from '../output.ts';
import { isEmpty, NO_ANSWERS, overlaid, type Answers } from '../templates/answers.ts';
import { answersOf, type InitFieldFlags } from '../templates/flag-answers.ts';
import { renderConferenceMd } from '../templates/render.ts';
import { TEMPLATE_NAMES, TEMPLATES, type TemplateName } from '../templates/templates.ts';
import { findingsText } from '../views/gate-view.ts';
import { errorCode } from '../error-code.ts';

export type InitFlags = InitFieldFlags & {
  readonly json: boolean;
  readonly force: boolean;
  readonly template?: TemplateName;
};

export async function init(context: CliContext, flags: InitFlags, folder = '.'): Promise<void> {
  const path = resolve(context.cwd, folder);
  const file = join(path, CONFERENCE_MD);
  const taken = takenBy(path, { file, force: flags.force });
  if (taken !== null) return fail(context, flags, taken);
  const given = answersOf(flags, { cwd: context.cwd, folder: path });
  const answers = await complete(context, flags, given);
  if (answers === 'cancelled') {
    return fail(context, flags, {
      code: 'CANCELLED',
      message: 'nothing was written',
      exit: exitCode.cancelled,
    });
  }
  if (answers === 'nothing') {
    const message = `nothing says what to write: give --template ${TEMPLATE_NAMES.join('|')}, or values such as --goal, or run it at a terminal`;
    return fail(context, flags, usage('NOTHING_GIVEN', message));
  }
  const text = renderConferenceMd(answers);
  const failure = changedBy(text, answers) ?? written(path, { file, text, force: flags.force });
  if (failure !== null) return fail(context, flags, failure);
  const gate = startGate(readConferenceMd(text, path).input);
  const findings = gate.complete ? [] : gate.findings;
  print(context, flags, {
    document: { file, complete: gate.complete, findings },
    words: () => words(join(folder, CONFERENCE_MD), findings),
  });
}

function words(shown: string, findings: readonly GateFinding[]): string {
  const next = `Next: conference plan ${shown}\n`;
  return findings.length === 0
    ? `Wrote ${shown}. The plan is complete.\n${next}`
    : `Wrote ${shown}.\n${findingsText(findings)}Fill in the {…} in the file.\n${next}`;
}

/** I1 */
function takenBy(folder: string, { file, force }: { file: string; force: boolean }): Failure | null {
  if (existsSync(join(folder, EVENTS_JSONL))) {
    const message = `${folder} holds a conference that has begun: its ${CONFERENCE_MD} belongs to it; take another folder`;
    return usage('CONFERENCE_EXISTS', message);
  }
  if (!force && isThere(file)) return fileExists(file);
  return null;
}

/** A link counts, wherever it leads. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function fileExists(file: string): Failure {
  return usage('FILE_EXISTS', `${file} is there already: --force writes over it, or name another folder`);
}

async function complete(
  context: CliContext,
  flags: InitFlags,
  given: Answers,
): Promise<Answers | 'cancelled' | 'nothing'> {
  const { template } = flags;
  if (template !== undefined) return overlaid(TEMPLATES[template].answers, given);
  if (context.node.stdin.isTTY && context.node.stdout.isTTY && !flags.json) {
    const { askAnswers } = await import('../askers/init-asker.ts');
    const asked = await askAnswers(given);
    return asked === null ? 'cancelled' : overlaid(asked, given);
  }
  return isEmpty(given) ? 'nothing' : overlaid(NO_ANSWERS, given);
}

/** I2: read back before anybody reads it. */
function changedBy(text: string, { values, lists, focus }: Answers): Failure | null {
  const { input } = readConferenceMd(text, null);
  const differs = (expected: readonly string[], found: readonly Given[] | undefined): boolean =>
    expected.some((entry) => !(found ?? []).some((one) => one.text === entry));
  const parts: readonly (readonly [
    Readonly<Record<string, string | readonly string[]>>,
    Readonly<Partial<Record<string, readonly Given[]>>>,
  ])[] = [
    [values, input.values],
    [lists, input.lists],
    [focus, input.focus],
  ];
  for (const [expected, found] of parts) {
    for (const [name, texts] of Object.entries(expected)) {
      if (!differs([texts].flat(), found[name])) continue;
      const message = `${name} ${JSON.stringify(texts)} cannot be written into a ${CONFERENCE_MD} so that it reads the same: say it in plain words, on one line`;
      return usage('VALUE_UNWRITABLE', message);
    }
  }
  return null;
}

/** A complete file or none, and never over one that came meanwhile. */
function written(
  folder: string,
  { file, text, force }: { file: string; text: string; force: boolean },
): Failure | null {
  const temporary = join(folder, `.${CONFERENCE_MD}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    if (force) renameSync(temporary, file);
    else linkSync(temporary, file);
    return null;
  } catch (error) {
    const code = errorCode(error, 'unknown');
    if (code === 'EEXIST' && isThere(file)) return fileExists(file);
    const message = `${file} cannot be written (${code}): name a folder that you may write in`;
    return { code: 'FILE_UNWRITABLE', message, exit: exitCode.failed };
  } finally {
    rmSync(temporary, { force: true });
  }
}
