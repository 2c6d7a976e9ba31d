import { buildApp } from '../../tooling/src/build-app.mjs';

await buildApp({ entries: { main: 'src/main.ts' }, alone: ['src/verbs/status.ts'] });
