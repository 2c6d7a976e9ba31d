/** Grants that a person makes on a command line (03 Grants): `--write-to DIR`, or a grant file. */
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { digestOf, documentPath, grantSchema, type Grant } from '@x/protocol';
import { usage, type Failure } from '../output.ts';
import { isWorkState, readWorkState } from './lithermes.ts';
import { errorCode } from '../error-code.ts';

export type GrantResult =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly failure: Failure };

/** Bytes of a grant file that are read. */
const GRANT_BYTES_MAX = 65_536;

/** The folder is made when it is missing, 0700. The id comes from the root, so two runs in one place are alike. */
export function grantFor(folder: string, cwd: string): GrantResult {
  const path = resolve(cwd, folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const root = realpathSync(path);
    if (!statSync(root).isDirectory()) return refused(`--write-to ${folder} is not a folder`);
    const grant_id = `write-to-${digestOf(root).slice('sha256:'.length, 'sha256:'.length + 16)}`;
    return { ok: true, grant: { grant_id, root, actions: ['write'], revision: 1, granted_by: '--write-to' } };
  } catch (error) {
    return refused(
      `--write-to ${folder} cannot be used: ${errorCode(error, String(error))}; name a folder that can be made and written to`,
    );
  }
}

/** Reads a grant file: the JSON of a grant, its root absolute and there. */
export function grantFromFile(file: string, cwd: string): GrantResult {
  let text: string;
  try {
    const path = resolve(cwd, file);
    if (statSync(path).size > GRANT_BYTES_MAX)
      return refused(`--grant ${file} is larger than ${GRANT_BYTES_MAX} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return refused(`--grant ${file} cannot be read: ${errorCode(error, String(error))}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(
      `--grant ${file} is not JSON; accepted is { grant_id, root, actions: ["write"], revision, granted_by }`,
    );
  }
  if (isWorkState(value)) {
    const state = readWorkState(resolve(cwd, file));
    return state.ok
      ? { ok: true, grant: state.grant }
      : refused(`--grant ${file} gives no grant: ${state.reason}`);
  }
  const parsed = grantSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(`--grant ${file}: ${documentPath(issue?.path ?? [])}: ${issue?.message ?? 'not a grant'}`);
  }
  const { root } = parsed.data;
  try {
    if (!isAbsolute(root) || realpathSync(root) !== root) {
      return refused(`--grant ${file}: $.root ${root} is not canonical; accepted is its real path`);
    }
  } catch (error) {
    return refused(`--grant ${file}: $.root ${root} cannot be used: ${errorCode(error, String(error))}`);
  }
  return { ok: true, grant: parsed.data };
}

function refused(message: string): GrantResult {
  return { ok: false, failure: usage('GRANT_INVALID', message) };
}
