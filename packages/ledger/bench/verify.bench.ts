/** Verifies against parsing and hashing: see verify-run.mjs. */
import { runBuilt } from './built.ts';

runBuilt('./verify-run.mjs');
