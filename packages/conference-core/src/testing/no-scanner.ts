/** A scanner that finds nothing: for tests and for embedding where no secret can occur. It says so in its name. */
import type { SecretScanner } from '../chair/ports.ts';

export const noScanner: SecretScanner = { name: 'none', version: '0', scan: () => Promise.resolve([]) };
