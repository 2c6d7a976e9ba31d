/**
 * The arrows of the architecture as data: which of our packages each folder may use.
 *
 * Boundary: a literal table. .oxlintrc.json says the same to an editor, and a test compares the two.
 *  A1  Arrows only point down: apps use packages; no package uses an app, no app uses an app.
 *  A2  ledger, bridge and coms-envelope know nothing of conferences, so a team can install each alone.
 *  A3  A folder that is not in the table does not exist: a new package is a decision, not an accident.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  'packages/protocol': [],
  'packages/conference-core': ['packages/protocol'],
  'packages/ledger': [],
  'packages/coms-envelope': [],
  'packages/bridge': [],
  'apps/conference-cli': ['packages/protocol', 'packages/conference-core', 'packages/ledger'],
  'apps/bridge-daemon': ['packages/bridge', 'packages/coms-envelope'],
  'apps/coms-cli': ['packages/coms-envelope'],
  'apps/conductor-layout': [],
  // Private, and depended on by none: what it holds serves tests, benches and the build.
  tooling: [
    'packages/protocol',
    'packages/conference-core',
    'packages/ledger',
    'packages/coms-envelope',
    'packages/bridge',
  ],
};
