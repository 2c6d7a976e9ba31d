/**
 * Files as people have them, and what a reader finds in each: one row a way of writing, with why it is there.
 *
 * `reads` names values by gate field, lists by theirs, `focus` by lane, quoted texts by section; a value written in two
 * places is an array of both. What is not named is not compared.
 */
export interface SheetRow {
  readonly id: string;
  readonly md: string;
  readonly reads: Readonly<Record<string, string | readonly string[]>>;
}

const metric = (lines: string): string => `## Success Metric\n\n${lines}\n`;
const researchers = (lines: string): string => `## Researchers\n\n${lines}\n`;
const space = (lines: string): string => `## Search Space\n\n${lines}\n`;
const constraints = (lines: string): string => `## Constraints\n\n${lines}\n`;

export const SHEET: readonly SheetRow[] = [
  // Keys and their marks.
  { id: 'colon inside bold', md: metric('- **Metric:** accuracy'), reads: { metric: 'accuracy' } },
  { id: 'colon outside bold', md: metric('- **Metric**: accuracy'), reads: { metric: 'accuracy' } },
  { id: 'space before the colon', md: metric('- **Metric** : accuracy'), reads: { metric: 'accuracy' } },
  { id: 'bold by underscores', md: metric('- __Metric:__ accuracy'), reads: { metric: 'accuracy' } },
  { id: 'all of it bold', md: metric('- **Metric: accuracy**'), reads: { metric: 'accuracy' } },
  { id: 'not bold at all', md: metric('- Metric: accuracy'), reads: { metric: 'accuracy' } },
  { id: 'italic key', md: metric('- *Metric:* accuracy'), reads: { metric: 'accuracy' } },
  { id: 'key in code', md: constraints('- `pause_every`: never'), reads: { pause_every: 'never' } },
  { id: 'capitals', md: '## RESEARCHERS\n\n- **COUNT:** 3\n', reads: { lanes: '3' } },
  { id: 'small letters', md: '## researchers\n\n- **max ROUNDS:** 3\n', reads: { max_rounds: '3' } },
  { id: 'underscores in keys', md: researchers('- **max_rounds:** 3'), reads: { max_rounds: '3' } },
  { id: 'hyphens in keys', md: constraints('- **time-budget:** 2h'), reads: { time_budget: '2h' } },
  {
    id: 'escaped underscore',
    md: constraints('- **pause\\_every:** every\\_2\\_rounds'),
    reads: { pause_every: 'every_2_rounds' },
  },
  {
    id: 'stars and pluses as bullets',
    md: researchers('* **Count:** 3\n\n+ **Max rounds:** 2'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'numbered bullets',
    md: researchers('1. **Count:** 3\n2. **Max rounds:** 2'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'typed bullet signs',
    md: researchers('• **Count:** 3\n• **Max rounds:** 2'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'no bullets',
    md: researchers('**Count:** 3\n**Max rounds:** 2'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'two keys in one bullet',
    md: researchers('- **Count:** 3\n  **Max rounds:** 2'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'typographic apostrophe',
    md: '## Pre-Flight Gate\n\n- **Critic / Devil’s Advocate:** yes\n',
    reads: { contrarian: 'yes' },
  },
  {
    id: 'no spaces around the slash',
    md: "## Pre-Flight Gate\n\n- **Critic/Devil's Advocate:** no\n",
    reads: { contrarian: 'no' },
  },
  { id: 'full-width colon', md: metric('- **Metric：** accuracy'), reads: { metric: 'accuracy' } },

  // Values.
  { id: 'value in backticks', md: metric('- **Target:** `> 95%`'), reads: { target: '> 95%' } },
  { id: 'bold value', md: researchers('- **Count:** **4**'), reads: { lanes: '4' } },
  { id: 'comparators', md: metric('- **Target:** >= 80'), reads: { target: '>= 80' } },
  { id: 'entities', md: metric('- **Target:** &lt; 50ms'), reads: { target: '< 50ms' } },
  { id: 'escaped comparator', md: metric('- **Target:** \\> 8/10'), reads: { target: '> 8/10' } },
  { id: 'comment behind a value', md: researchers('- **Count:** 4 <!-- or 5 -->'), reads: { lanes: '4' } },
  {
    id: 'a remark stays with its value',
    md: researchers('- **Iterations per round:** 4 (round 1-2), 3 (round 3)'),
    reads: { iterations_per_round: '4 (round 1-2), 3 (round 3)' },
  },
  { id: 'value on the next line', md: metric('- **Metric:**\n  accuracy'), reads: { metric: 'accuracy' } },
  {
    id: 'value in the next paragraph',
    md: metric('- **Metric:**\n\n  accuracy'),
    reads: { metric: 'accuracy' },
  },
  { id: 'value in a bullet below', md: metric('- **Metric:**\n  - accuracy'), reads: { metric: 'accuracy' } },
  {
    id: 'a bullet below a value is a second text',
    md: researchers('- **Count:** 4\n  - 3 in the last round'),
    reads: { lanes: ['4', '3 in the last round'] },
  },
  {
    id: 'a paragraph below a value is a second text',
    md: researchers('- **Count:** 4\n\n  Three would do.'),
    reads: { lanes: ['4', 'Three would do.'] },
  },
  { id: 'wrapped value', md: metric('- **Metric:** median\n  latency'), reads: { metric: 'median latency' } },
  {
    id: 'hard line break in a value',
    md: metric('- **Metric:** median\\\n  latency'),
    reads: { metric: 'median latency' },
  },
  {
    id: 'spaces that do not break',
    md: researchers('- **Max\u00a0rounds:**\u00a06'),
    reads: { max_rounds: '6' },
  },
  {
    id: 'bullet with a space that does not break',
    md: researchers('-\u00a0**Count:** 6'),
    reads: { lanes: '6' },
  },
  {
    id: 'nested under a word',
    md: metric('- Success\n  - **Metric:** f1\n  - **Target:** 0.9'),
    reads: { metric: 'f1', target: '0.9' },
  },
  { id: 'placeholder in braces', md: researchers('- **Count:** {N}'), reads: { lanes: '{N}' } },
  {
    id: 'placeholder in italics',
    md: metric('- **Metric:** _Describe the metric_'),
    reads: { metric: '_Describe the metric_' },
  },
  {
    id: 'placeholder in italics by stars',
    md: metric('- **Metric:** *Describe the metric*'),
    reads: { metric: '_Describe the metric_' },
  },
  { id: 'empty value', md: metric('- **Metric:**'), reads: { metric: '' } },
  { id: 'only a comment as value', md: metric('- **Metric:** <!-- name it -->'), reads: { metric: '' } },

  // Headings and sections.
  {
    id: 'goal and mode',
    md: '## Goal\n\nFind it.\nSoon.\n\n## Mode\n\nmetric\n',
    reads: { goal: 'Find it. Soon.', mode: 'metric' },
  },
  { id: 'goal by its key', md: '## Goal\n\n- **Goal:** Find it.\n', reads: { goal: 'Find it.' } },
  { id: 'mode in bold', md: '## Mode\n\n**metric**\n', reads: { mode: 'metric' } },
  { id: 'mode as a bullet', md: '## Mode\n\n- qualitative\n', reads: { mode: 'qualitative' } },
  { id: 'mode by its key', md: '## Mode\n\n- **Mode:** qualitative\n', reads: { mode: 'qualitative' } },
  { id: 'mode as tasks', md: '## Mode\n\n- [x] metric\n- [ ] qualitative\n', reads: { mode: 'metric' } },
  { id: 'underlined headings', md: 'Researchers\n-----------\n\n- **Count:** 3\n', reads: { lanes: '3' } },
  { id: 'closed headings', md: '## Researchers ##\n\n- **Count:** 3\n', reads: { lanes: '3' } },
  { id: 'headings with a colon', md: '## Researchers:\n\n- **Count:** 3\n', reads: { lanes: '3' } },
  { id: 'numbered headings', md: '## 3. Researchers\n\n- **Count:** 3\n', reads: { lanes: '3' } },
  { id: 'headings with a sign', md: '## 🎯 Goal\n\nFind it.\n', reads: { goal: 'Find it.' } },
  { id: 'bold headings', md: '## **Researchers**\n\n- **Count:** 3\n', reads: { lanes: '3' } },
  {
    id: 'and for &',
    md: '## Context and References\n\nA book.\n',
    reads: { 'Context & References': 'A book.' },
  },
  {
    id: 'heading in a fence is none',
    md: '## Goal\n\n```md\n## Mode\n\nqualitative\n```\n\n## Mode\n\nmetric\n',
    reads: { goal: '```md ## Mode qualitative ```', mode: 'metric' },
  },
  {
    id: 'heading in a comment is none',
    md: '<!--\n## Mode\n\nqualitative\n-->\n\n## Mode\n\nmetric\n',
    reads: { mode: 'metric' },
  },
  {
    id: 'the same section twice',
    md: '## Researchers\n\n- **Count:** 3\n\n## Guard\n\n- tests\n\n## Researchers\n\n- **Count:** 4\n',
    reads: { lanes: ['3', '4'] },
  },
  {
    id: 'the same value in the gate',
    md: '## Researchers\n\n- **Count:** 3\n\n## Pre-Flight Gate\n\n- **Researchers:** 4\n',
    reads: { lanes: ['3', '4'] },
  },
  {
    id: 'every field may stand in the gate',
    md: '## Pre-Flight Gate\n\n- **Time budget:** 2h\n- **Mode:** metric\n- **Goal:** Find it.\n',
    reads: { time_budget: '2h', mode: 'metric', goal: 'Find it.' },
  },
  {
    id: 'a key in a section without it is unknown',
    md: '## Guard\n\n- **Count:** 9\n\n## Researchers\n\n- **Count:** 3\n',
    reads: { lanes: '3', guard: ['Count: 9'] },
  },
  { id: 'a file does not confirm', md: '## Pre-Flight Gate\n\n- **Final confirmation:** yes\n', reads: {} },
  {
    id: 'rules part sections',
    md: '## Goal\n\nFind it.\n\n---\n\n## Mode\n\nmetric\n\n---\n\n## Researchers\n\n- **Count:** 3\n',
    reads: { goal: 'Find it.', mode: 'metric', lanes: '3' },
  },
  { id: 'front matter', md: '---\ntitle: mine\n---\n\n## Goal\n\nFind it.\n', reads: { goal: 'Find it.' } },
  {
    id: 'the log is not read',
    md: '## Goal\n\nFind it.\n\n---\n\n## Conference Log\n\n- **Goal:** other\n\n## Goal\n\nother\n',
    reads: { goal: 'Find it.' },
  },
  {
    id: 'a log without a rule ends at the next heading',
    md: '## Conference Log\n\nnone\n\n## Goal\n\nFind it.\n',
    reads: { goal: 'Find it.' },
  },
  {
    id: 'a rule right under a text',
    md: '## Context & References\n\nA book.\n---\n## Conference Log\n',
    reads: { 'Context & References': 'A book.' },
  },
  { id: 'byte order mark', md: '\uFEFF## Goal\n\nFind it.\n', reads: { goal: 'Find it.' } },
  {
    id: 'CRLF',
    md: '## Goal\r\n\r\nFind it.\r\nSoon.\r\n\r\n## Researchers\r\n\r\n- **Count:** 3\r\n',
    reads: { goal: 'Find it. Soon.', lanes: '3' },
  },
  {
    id: 'CR alone',
    md: '## Goal\r\rFind it.\r\r## Researchers\r\r- **Count:** 3\r',
    reads: { goal: 'Find it.', lanes: '3' },
  },
  { id: 'no final newline', md: '## Researchers\n\n- **Count:** 3', reads: { lanes: '3' } },

  // Tables.
  {
    id: 'table of keys and values',
    md: researchers('| Key | Value |\n| --- | --- |\n| Count | 3 |\n| Max rounds | `2` |'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'table without a heading of its own',
    md: researchers('| Count | 3 |\n|---|---|\n| **Max rounds** | 2 |'),
    reads: { lanes: '3', max_rounds: '2' },
  },
  {
    id: 'table with a key a column',
    md: metric('Metric | Target | Direction\n--- | --- | ---\nacc | > 95% | maximize'),
    reads: { metric: 'acc', target: '> 95%', direction: 'maximize' },
  },
  {
    id: 'a heading that says Metric and Value',
    md: metric('| Metric | Value |\n|---|---|\n| Target | 5 |'),
    reads: { target: '5' },
  },
  {
    id: 'a third column is a remark',
    md: researchers('| Key | Value | Notes |\n|---|---|---|\n| Count | 3 | perhaps 4 |'),
    reads: { lanes: '3 — perhaps 4' },
  },

  // Lists.
  {
    id: 'entries by semicolon',
    md: space('- **Allowed changes:** a; b ;; c'),
    reads: { allowed_actions: ['a', 'b', 'c'] },
  },
  {
    id: 'entries as bullets',
    md: space('- **Forbidden changes:**\n  - a, b\n  - `c; d`'),
    reads: { forbidden_actions: ['a, b', 'c; d'] },
  },
  {
    id: 'a semicolon in code parts nothing',
    md: space('- **Allowed changes:** `a; b`; c'),
    reads: { allowed_actions: ['a; b', 'c'] },
  },
  {
    id: 'the same entry twice is one',
    md: space('- **Allowed changes:** a; a'),
    reads: { allowed_actions: ['a'] },
  },
  {
    id: 'criteria as bullets',
    md: '## Success Criteria\n\nScored by:\n\n- Clear\n- **Short:** one page\n- [ ] Right\n',
    reads: { criteria: ['Clear', 'Short: one page', 'Right'] },
  },
  {
    id: 'criteria with details below',
    md: '## Success Criteria\n\n- Clear:\n  - no jargon\n  - short words\n',
    reads: { criteria: ['Clear: no jargon; short words'] },
  },
  {
    id: 'criteria as prose',
    md: '## Success Criteria\n\nClear and\nshort.\n',
    reads: { criteria: ['Clear and short.'] },
  },
  {
    id: 'criteria below headings',
    md: '## Success Criteria\n\n### Must\n\n- Clear\n\n### May\n\n- Short\n',
    reads: { criteria: ['Clear', 'Short'] },
  },
  {
    id: 'roots resolve against the folder',
    md: constraints('- **Allowed read roots:** data; `../more`; /abs\n- **Write root:** out'),
    reads: { allowed_read_roots: ['/folder/data', '/more', '/abs'], write_root: '/folder/out' },
  },
  {
    id: 'no roots',
    md: constraints('- **Allowed read roots:** none\n- **Write root:** {path}'),
    reads: { allowed_read_roots: ['none'], write_root: '{path}' },
  },
  {
    id: 'forbidden actions add to forbidden changes',
    md: `${space('- **Forbidden changes:** a')}\n${constraints('- **Forbidden actions:** b')}`,
    reads: { forbidden_actions: ['a'], more_forbidden_actions: ['b'] },
  },

  // Focus and quoted sections.
  {
    id: 'focus of lanes',
    md: '## Search Space Partitioning\n\n- **Strategy:** assigned\n\n### Researcher A Focus\n\nCaching.\n\n### researcher b focus\n\n- Strategy: batching\n',
    reads: { strategy: 'assigned', 'focus A': 'Caching.', 'focus B': '- Strategy: batching' },
  },
  {
    id: 'focus in its heading',
    md: '## Search Space Partitioning\n\n### Researcher A Focus: caching\n',
    reads: { 'focus A': 'caching' },
  },
  {
    id: 'focus as a bullet',
    md: '## Search Space Partitioning\n\n- **Researcher A Focus:** caching\n',
    reads: { 'focus A': 'caching' },
  },
  {
    id: 'quoted as written',
    md: '## Current Approach\n\nWe use `gzip`.\n\n### Why\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    reads: { 'Current Approach': 'We use `gzip`.\n\n### Why\n\n| a | b |\n|---|---|\n| 1 | 2 |' },
  },
  {
    id: 'comments are not quoted',
    md: '## Shared Knowledge\n\nKnown. <!-- not this -->\n<!--\nnor this\n-->\n',
    reads: { 'Shared Knowledge': 'Known.' },
  },
  {
    id: 'a comment in code is quoted',
    md: '## Shared Knowledge\n\n`<!-- x -->`\n',
    reads: { 'Shared Knowledge': '`<!-- x -->`' },
  },
  {
    id: 'a section that nobody filled in is not quoted',
    md: '## Current Approach\n\n_Describe what you do now._\n',
    reads: { 'Current Approach': [] },
  },
  {
    id: 'unknown sections are left alone',
    md: '## Notes\n\n- **Count:** 9\n\n# Researchers\n\n- **Count:** 8\n',
    reads: { lanes: [] },
  },
];
