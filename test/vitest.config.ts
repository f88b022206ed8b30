import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  // The same graphql-js as mercurius loads: it takes the types of a second one for strangers.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    globalSetup: ['test/support/build-service.ts', 'test/support/global-setup.ts'],
    // A worker with an embedded database takes about 700 MB and one core.
    pool: 'forks',
    // Modules are loaded once for a worker, and not for each file, which would take a quarter of the time.
    isolate: false,
    execArgv: ['--import', `${import.meta.dirname}/support/typescript-threads.mjs`],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
