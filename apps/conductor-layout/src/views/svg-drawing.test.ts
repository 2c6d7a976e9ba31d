import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paneAreas } from '../plan/pane-areas.ts';
import type { TeamLayout } from '../plan/layout-node.ts';
import { planTeamLayout } from '../plan/plan-team-layout.ts';
import type { Peer } from '../teams-file/peer.ts';
import { drawSvg } from './svg-drawing.ts';

function plan(peers: readonly Peer[], conductor = true): TeamLayout {
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

const peers = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-z0-9-]{1,30}$/), persona: fc.constant('p') }),
  { minLength: 1, maxLength: 60, selector: ({ name }) => name },
);

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The rectangles of one class, in order. */
function rects(svg: string, kind: string): Rect[] {
  const pattern = new RegExp(
    `<rect class="${kind}[^"]*" x="([\\d.]+)" y="([\\d.]+)" width="([\\d.]+)" height="([\\d.]+)"`,
    'g',
  );
  return [...svg.matchAll(pattern)].map((match) => {
    const [x = 0, y = 0, width = 0, height = 0] = match.slice(1).map(Number);
    return { x, y, width, height };
  });
}

test('the panes have their true ratios: each edge is where it must be, less the gap [LAYO-10]', () => {
  fc.assert(
    fc.property(peers, (team) => {
      const layout = plan(team);
      const svg = drawSvg(layout);
      const panes = rects(svg, 'pane');
      const areas = paneAreas(layout.layout);
      expect(panes).toHaveLength(areas.length);
      const width = 768;
      const height = Math.max(...panes.map((pane) => pane.y + pane.height)) + 2 - 44;
      for (const [index, { left, top, right, bottom }] of areas.entries()) {
        const pane = panes[index] ?? { x: 0, y: 0, width: 0, height: 0 };
        expect(pane.x - 2).toBeCloseTo(16 + left * width, 2);
        expect(pane.x + pane.width + 2).toBeCloseTo(16 + right * width, 2);
        expect(pane.y - 2).toBeCloseTo(44 + top * height, 2);
        expect(pane.y + pane.height + 2).toBeCloseTo(44 + bottom * height, 2);
      }
    }),
    { numRuns: 50 },
  );
});

test('every text stands on the sheet that the picture paints, and is 12 px or larger [LAYO-10]', () => {
  fc.assert(
    fc.property(peers, (team) => {
      const svg = drawSvg(plan(team));
      const [sheet] = rects(svg, 'sheet');
      if (sheet === undefined) throw new Error('there is a sheet');
      const texts = [...svg.matchAll(/<text class="(\w+)" x="([\d.]+)" y="([\d.]+)">([^<]*)</g)];
      expect(texts.length).toBeGreaterThan(team.length);
      for (const [, kind = '', x, y, text = ''] of texts) {
        // 0.61 em: the widest of the usual monospaced letters.
        const end = Number(x) + text.length * 0.61 * (kind === 'small' ? 12 : 14);
        expect(end).toBeLessThanOrEqual(sheet.width);
        expect(Number(y)).toBeLessThanOrEqual(sheet.height - 4);
      }
      const sizes = [...svg.matchAll(/font-size:([\d.]+)px/g)].map(([, size]) => Number(size));
      expect(Math.min(...sizes)).toBe(12);
    }),
    { numRuns: 50 },
  );
});

test('no text leaves its pane, to the right or below [LAYO-10]', () => {
  fc.assert(
    fc.property(peers, (team) => {
      for (const [, group = ''] of drawSvg(plan(team)).matchAll(/<g>(.*?)<\/g>/gs)) {
        const [pane] = rects(group, 'pane');
        if (pane === undefined) throw new Error('a group is a pane');
        for (const [, kind, x, y, text = ''] of group.matchAll(
          /<text class="(\w+)" x="([\d.]+)" y="([\d.]+)">([^<]*)</g,
        )) {
          expect(Number(x) + text.length * 0.61 * (kind === 'small' ? 12 : 14)).toBeLessThan(
            pane.x + pane.width,
          );
          expect(Number(y) + 4).toBeLessThan(pane.y + pane.height);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('every peer is named and its share is there [LAYO-10]', () => {
  fc.assert(
    fc.property(peers, (team) => {
      const shown = [...drawSvg(plan(team)).matchAll(/<text [^>]*>([^<]*)</g)]
        .map(([, text]) => text)
        .join('\n');
      for (const { name } of team) expect(shown).toContain(name);
      expect(shown.match(/\d+\.\d %/g)?.length).toBeGreaterThanOrEqual(team.length);
    }),
    { numRuns: 50 },
  );
});

test('the picture has colours for dark pages too, no script, no link, no font to load [LAYO-10]', () => {
  const svg = drawSvg(plan([{ name: 'a', persona: 'p' }]));
  expect(svg).toContain('@media (prefers-color-scheme:dark)');
  expect(svg).not.toMatch(/<script|href|url\(|@import|<foreignObject/i);
  expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
});

test('of an env file the picture shows the name [LAYO-09 LAYO-10]', () => {
  expect(drawSvg(plan([{ name: 'a', persona: 'p', env_file: '.env.docs' }]))).toContain(
    '>env .env.docs</text>',
  );
});

test('what a label brings is text in the picture, never markup [LAYO-10]', () => {
  const layout = plan([{ name: 'a', persona: 'p' }]);
  const svg = drawSvg({ ...layout, label: '<script>"&\'' });
  expect(svg).not.toContain('<script>');
  expect(svg).toContain('&lt;script&gt;&quot;&amp;');
});

test('only the conductor has the colour of one, not a peer of that name [LAYO-10]', () => {
  const svg = drawSvg(plan([{ name: 'conductor', persona: 'p' }]));
  expect(rects(svg, 'pane conductor')).toHaveLength(1);
});
