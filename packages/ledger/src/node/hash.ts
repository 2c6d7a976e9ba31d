/** SHA-256 by node:crypto: about four times the speed of the portable one, byte for byte the same. */
import { hash } from 'node:crypto';
import type { Sha256Hex } from '../digest.ts';

export const nodeSha256: Sha256Hex = (data) => hash('sha256', data, 'hex');
