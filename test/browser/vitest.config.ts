import { defineConfig } from 'vitest/config'

/** Runs the tests that need a browser, with `browserOptions`. They are not part of `npm test`. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    globalSetup: 'test/support/build-service.ts',
    include: ['test/browser/**/*.test.ts'],
    // By default, two cores get one worker.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
