import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'tooling/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Processes, not threads: tests change the working folder, the umask and signal handlers.
    pool: 'forks',
    // End-to-end tests start many processes of their own: more workers than this starve each other on two cores.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A forgotten `.only` would turn the rest of the suite off without a word, on a laptop as in CI.
    allowOnly: false,
  },
});
