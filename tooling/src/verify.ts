/**
 * `pnpm verify`: everything that must hold before a change lands, the same here and in CI.
 *
 * Boundary: one line a step, a step's output only where it fails. Every step runs whatever failed before it.
 * Exits 1 where a step failed, 2 on wrong usage.
 */
import { parseArgs } from 'node:util';
import { steps } from './verify/steps.ts';
import type { Step, StepResult, VerifyOptions } from './verify/steps.ts';

const usage = `usage: pnpm verify [--full] [--release] [STEP…]
  --full     heavy proofs in full
  --release  open requirements fail, too
${steps.map(({ name, proves }) => `  ${name.padEnd(12)} ${proves}`).join('\n')}
`;

type Asked =
  | { readonly code: 'run'; readonly chosen: readonly Step[]; readonly options: VerifyOptions }
  | { readonly code: 'help' }
  | { readonly code: 'wrong'; readonly reason: string };

const readArguments = (): Asked => {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2).filter((argument) => argument !== '--'),
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { code: 'help' };
    const unknown = positionals.find((name) => !steps.some((step) => step.name === name));
    if (unknown !== undefined) return { code: 'wrong', reason: `there is no step '${unknown}'` };
    const chosen = positionals.length === 0 ? steps : steps.filter(({ name }) => positionals.includes(name));
    return { code: 'run', chosen, options: values };
  } catch (error) {
    return { code: 'wrong', reason: error instanceof Error ? error.message : String(error) };
  }
};

const runStep = async (step: Step, options: VerifyOptions): Promise<StepResult> => {
  try {
    return await step.run(options);
  } catch (error) {
    // A bug in a check must not hide what the later steps would find.
    return { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

const main = async (): Promise<number> => {
  const asked = readArguments();
  if (asked.code === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (asked.code === 'wrong') {
    process.stderr.write(`${asked.reason}\n${usage}`);
    return 2;
  }
  const failed: string[] = [];
  for (const step of asked.chosen) {
    const startedMs = performance.now();
    const { ok, output } = await runStep(step, asked.options);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(12)} ${seconds.padStart(6)} s\n`);
    if (ok) continue;
    failed.push(step.name);
    process.stdout.write(`${output.trimEnd().replaceAll(/^/gm, '      ')}\n`);
  }
  process.stdout.write(
    failed.length === 0
      ? `all ${asked.chosen.length} steps hold\n`
      : `${failed.length} of ${asked.chosen.length} steps failed: ${failed.join(', ')}\n`,
  );
  return failed.length === 0 ? 0 : 1;
};

process.exitCode = await main();
