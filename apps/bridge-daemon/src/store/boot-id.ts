/** Tells one start of the machine from another: what a power cut may have taken, a kill has not. */
import { readFileSync } from 'node:fs';

/** Of this start of the machine; empty where the system does not say. */
export const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
};
