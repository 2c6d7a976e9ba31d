/** Appends against the bare disk: see append-run.mjs. */
import { runBuilt } from './built.ts';

runBuilt('./append-run.mjs');
