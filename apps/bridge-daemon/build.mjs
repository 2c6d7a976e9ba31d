import { buildApp } from '../../tooling/src/build-app.mjs';

await buildApp({
  entries: { main: 'src/main.ts' },
  singleFile: true,
  // The same library without an HTTP client of its own: Node has one.
  alias: { grammy: 'grammy/web' },
});
