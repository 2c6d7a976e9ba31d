import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paneAreas } from '../plan/pane-areas.ts';
import type { TeamLayout } from '../plan/layout-node.ts';
import { planTeamLayout } from '../plan/plan-team-layout.ts';
import { drawTree, layoutCells } from './tree-drawing.ts';

function plan(names: readonly string[], conductor = true): TeamLayout {
  const peers = names.map((name) => ({ name, persona: 'p' }));
  const planned = planTeamLayout({
    team: 'docs',
    peers,
    checkout: '/repo/main.wt2',
    project: 'default',
    conductor,
  });
  if (!planned.ok) throw new Error(planned.code);
  return planned.plan;
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,24}$/), { minLength: 1, maxLength: 40 });
const width = fc.integer({ min: 8, max: 240 });

test('a team of three beside its conductor is drawn like this [LAYO-10]', () => {
  expect(drawTree(plan(['writer', 'checker', 'editor']), 44).join('\n')).toBe(
    `wt2-conductor-docs
┌──────────────┬─────────────┬─────────────┐
│ conductor    │ writer      │ checker     │
│ 35.0 %       │ 21.7 %      │ 21.7 %      │
│              │             │             │
│              │             │             │
│              │             │             │
│              │             │             │
│              │             │             │
│              │             │             │
│              ├─────────────┴─────────────┤
│              │ editor                    │
│              │ 21.7 %                    │
│              │                           │
└──────────────┴───────────────────────────┘`,
  );
});

test('no line is wider than the terminal, whatever its width [LAYO-10]', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 240 }), fc.boolean(), (team, columns, conductor) => {
      for (const line of drawTree(plan(team, conductor), columns)) {
        expect([...line].length).toBeLessThanOrEqual(columns);
      }
    }),
  );
});

test('each edge stands within half a cell of its true place, so no ratio is off by more than one cell [LAYO-10]', () => {
  fc.assert(
    fc.property(names, width, (team, columns) => {
      const layout = plan(team);
      const grid = layoutCells(layout, columns);
      for (const [index, { left, top, right, bottom }] of paneAreas(layout.layout).entries()) {
        const cells = grid.panes[index];
        if (cells === undefined) throw new Error('every pane has cells');
        expect(Math.abs(cells.left - left * grid.columns)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(cells.right - right * grid.columns)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(cells.top - top * grid.rows)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(cells.bottom - bottom * grid.rows)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(cells.right - cells.left - (right - left) * grid.columns)).toBeLessThanOrEqual(1);
        expect(Math.abs(cells.bottom - cells.top - (bottom - top) * grid.rows)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('the lines that are drawn are the edges that were computed [LAYO-10]', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 40, max: 160 }), (team, columns) => {
      const layout = plan(team);
      const { panes } = layoutCells(layout, columns);
      // The label may take more than one line in a narrow terminal.
      const drawn = drawTree(layout, columns).slice(Math.ceil(layout.label.length / columns));
      for (const { left, top, right, bottom } of panes) {
        for (const [column, row] of [
          [left, top],
          [right, top],
          [left, bottom],
          [right, bottom],
        ] as const) {
          expect(drawn[row]?.charAt(column)).toMatch(/[┌┐└┘├┤┬┴┼─│]/);
        }
        for (let row = top; row <= bottom; row += 1)
          expect(drawn[row]?.charAt(left)).toMatch(/[┌└├┤┬┴┼│┐┘─]/);
      }
    }),
  );
});

test('every peer is named, in its box or in the list below, and its share with it [LAYO-10]', () => {
  fc.assert(
    fc.property(names, width, (team, columns) => {
      // Pieces of wrapped names are joined again.
      const flat = drawTree(plan(team), columns).join('').replaceAll(' ', '');
      for (const name of team) expect(flat).toContain(name);
    }),
  );
});

test('a box too narrow for its name has the number that the list below explains [LAYO-10]', () => {
  const drawn = drawTree(plan(['a-name-longer-than-its-box', 'b']), 60);
  expect(drawn.slice(1).some((line) => /│ 2 +│/.test(line))).toBe(false);
  const narrow = drawTree(plan(['a-name-longer-than-its-box', 'b']), 24);
  expect(narrow.some((line) => line.includes('│ 2 '))).toBe(true);
  expect(narrow.join('').replaceAll(' ', '')).toContain('2a-name-longer-than-its-box32.5%');
});

test('equal shares are shown equal, although their sums differ in the last bit [LAYO-10]', () => {
  const shown = drawTree(plan(['a', 'b', 'c', 'd']), 80)
    .join('\n')
    .match(/\d+\.\d %/g);
  expect(shown).toEqual(['35.0 %', '16.3 %', '16.3 %', '16.3 %', '16.3 %']);
});

test('nothing but plain characters is drawn: no colour, no escape [LAYO-10]', () => {
  expect(drawTree(plan(['a', 'b']), 80).join('')).toMatch(/^[\x20-\x7e┌┐└┘├┤┬┴┼─│]*$/);
});
