import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  // Tests must load the same copy of graphql-js as Mercurius, because a copy rejects the types of another.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    globalSetup: ['test/support/build-service.ts', 'test/support/global-setup.ts'],
    // A worker with an embedded database takes about 700 MB and one core.
    pool: 'forks',
    // A worker loads modules only once. Loading them for each file would take a quarter of the time.
    isolate: false,
    execArgv: ['--import', `${import.meta.dirname}/../.config/typescript-threads.mjs`],
    // On a server, tests wait for it: a third worker saves a tenth of the time on two cores.
    maxWorkers: process.env.TEST_DATABASE_URL ? 3 : 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
