/** The system's word for what went wrong, such as ENOENT: short, and without a path or a text of anybody. */
export function errorCode(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise;
}
