import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Peer } from '../teams-file/peer.ts';
import type { NodeOf, PlannedNode, PlannedPane } from './layout-node.ts';
import { paneAreas } from './pane-areas.ts';
import { layoutDocument, panesOf } from './pane-env.ts';
import { planTeamLayout } from './plan-team-layout.ts';
import type { TeamLayoutRequest } from './plan-team-layout.ts';

interface Vector {
  readonly peers: readonly Peer[];
  readonly project: string;
  readonly layout: PlannedNode;
  readonly grid: PlannedNode | null;
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../test/vectors/layouts.json', import.meta.url), 'utf8'),
);

const CHECKOUT = '/repo/main.wt2';

function planned(request: Partial<TeamLayoutRequest>): { label: string; layout: PlannedNode } {
  const result = planTeamLayout({
    team: 'docs',
    peers: [],
    checkout: CHECKOUT,
    project: 'default',
    conductor: true,
    ...request,
  });
  if (!result.ok) throw new Error(result.code);
  return result.plan;
}

const word = fc.stringMatching(/^[A-Za-z0-9._/,-]{1,12}$/);

const peer: fc.Arbitrary<Peer> = fc.oneof(
  fc.record(
    { name: word, persona: word, model: word, extensions: word, env_file: word },
    { requiredKeys: ['name', 'persona'] },
  ),
  fc.record(
    { name: word, runner: fc.constant('claude-code' as const), model: word },
    { requiredKeys: ['name', 'runner'] },
  ),
);

const request: fc.Arbitrary<TeamLayoutRequest> = fc.record({
  team: word,
  peers: fc.uniqueArray(peer, { minLength: 1, maxLength: 64, selector: ({ name }) => name }),
  checkout: fc.constant(CHECKOUT),
  project: fc.oneof(fc.constant('default'), word),
  conductor: fc.boolean(),
});

test.each(VECTORS.map((vector) => [vector.peers.length, vector] as const))(
  'the layout of a team of %i is the one of the vectors, with and without a conductor [LAYO-04 LAYO-05 LAYO-06 LAYO-07]',
  (_, { peers, project, layout, grid }) => {
    expect(planned({ peers, project }).layout).toEqual(layout);
    const alone = planTeamLayout({ team: 'docs', peers, checkout: CHECKOUT, project, conductor: false });
    expect(alone.ok ? alone.plan.layout : null).toEqual(grid);
  },
);

test('the vectors hold a team of every kind, so that none of them is passed by an empty list', () => {
  expect(VECTORS.map(({ peers }) => peers.length)).toEqual([0, 1, 2, 3, 5]);
});

test('a conductor without peers is one pane that runs hermes -p dev [LAYO-07 COND-02]', () => {
  expect(planned({}).layout).toEqual({
    type: 'pane',
    command: ['hermes', '-p', 'dev'],
    cwd: CHECKOUT,
    label: 'conductor',
  });
});

test('neither peers nor a conductor is refused, not an empty workspace [LAYO-08]', () => {
  const result = planTeamLayout({
    team: 'docs',
    peers: [],
    checkout: CHECKOUT,
    project: 'default',
    conductor: false,
  });
  expect(result).toEqual({ ok: false, code: 'NOTHING_TO_LAY_OUT' });
});

test('every peer stands in exactly one pane, in the order of the file, and keeps its own command [LAYO-04 LAYO-06]', () => {
  fc.assert(
    fc.property(request, (each) => {
      const panes = panesOf(planned(each).layout);
      const peerPanes = each.conductor ? panes.slice(1) : panes;
      expect(peerPanes.map(({ label }) => label)).toEqual(each.peers.map(({ name }) => name));
      for (const [index, { command }] of peerPanes.entries()) {
        expect(command).toContain(each.peers[index]?.name);
        expect(command[0]).toBe('just');
      }
    }),
  );
});

test('the peers of a team have equal shares: halving gives each half room by its number of peers [LAYO-06 LAYO-07]', () => {
  fc.assert(
    fc.property(request, (each) => {
      const areas = paneAreas(planned(each).layout);
      const [first] = areas;
      const gridShare = each.conductor ? 0.65 : 1;
      if (each.conductor) expect(first?.share).toBeCloseTo(0.35, 12);
      for (const { share } of each.conductor ? areas.slice(1) : areas) {
        expect(share).toBeCloseTo(gridShare / each.peers.length, 12);
      }
    }),
  );
});

test('each split halves with ceil(n/2) first and turns at each depth [LAYO-06]', () => {
  const check = (node: NodeOf<PlannedPane>, depth: number): number => {
    if (node.type === 'pane') return 1;
    expect(node.direction).toBe(depth % 2 === 0 ? 'right' : 'down');
    const first = check(node.first, depth + 1);
    const second = check(node.second, depth + 1);
    expect(first).toBe(Math.ceil((first + second) / 2));
    expect(node.ratio).toBe(first / (first + second));
    return first + second;
  };
  fc.assert(
    fc.property(request, (each) => {
      const { layout } = planned(each);
      if (!each.conductor) return void check(layout, 0);
      if (layout.type === 'pane') throw new Error('a team with peers is split from its conductor');
      expect([layout.direction, layout.ratio]).toEqual(['right', 0.35]);
      check(layout.second, 1);
    }),
  );
});

test('the same team gives the same bytes, and the request is left as it was [LAYO-05]', () => {
  fc.assert(
    fc.property(request, (each) => {
      const before = JSON.stringify(each);
      const bytes = JSON.stringify(layoutDocument(planned(each)));
      expect(JSON.stringify(layoutDocument(planned(structuredClone(each))))).toBe(bytes);
      expect(JSON.stringify(each)).toBe(before);
    }),
  );
});

test('a printed pane says that there is an env file and which, and holds no variable of it [LAYO-09]', () => {
  const peers = [{ name: 'a', persona: 'p', env_file: '.env.docs' }];
  expect(layoutDocument(planned({ peers, conductor: false })).layout).toEqual({
    type: 'pane',
    command: ['just', '_peer', 'p', 'a'],
    cwd: CHECKOUT,
    label: 'a',
    env: { '<env_file>': '.env.docs' },
  });
});
