/** Judges a packet by the schema of its role, and says what is wrong with it without repeating it. */
import assert from 'node:assert/strict';
// #region program
import { canonicalJson, digestOfJson, firstIssue, LIMIT_DEFAULTS, packetSchema } from '@x/protocol';

const schema = packetSchema('researcher', { limits: LIMIT_DEFAULTS, mode: 'metric' });
const packet = {
  dispatch_id: '01J9ZQ4V7N3K8M2R5T6W8X9Y0A',
  role: 'researcher',
  status: 'completed',
  claims: [{ claim: 'Level 9 is 4 % smaller.', evidence: 'Three runs [E1].', confidence: 'high' }],
  uncertainties: [],
  recommended_root_actions: [],
  hypotheses: [],
  measurements: [{ name: 'size', value: '12.5 kB', provenance: 'mean of 3 runs' }],
  stuck_level: 0,
};

const right = schema.parse(packet);
const digest = digestOfJson(right); // sha256:… of its canonical text
const text = canonicalJson({ b: 1, a: [1e21, 0.000001] }); // {"a":[1e+21,0.000001],"b":1}

const wrong = schema.safeParse({ ...packet, stuck_level: 4 });
const path = wrong.success ? '' : firstIssue(wrong.error).path; // $.stuck_level
// #endregion

assert.equal(digest, 'sha256:b878724783435af1315a911c21ae273365e0c8a3d359d1d7df8a9e7854c94730');
assert.equal(text, '{"a":[1e+21,0.000001],"b":1}');
assert.equal(path, '$.stuck_level');
