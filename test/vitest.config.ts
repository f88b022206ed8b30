import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    globalSetup: 'test/support/global-setup.ts',
    // A worker with an embedded database takes about 700 MB and one core.
    pool: 'forks',
    execArgv: ['--import', `${import.meta.dirname}/support/typescript-threads.mjs`],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
