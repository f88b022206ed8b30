import { defineConfig } from 'vitest/config'
import inProcess from '../vitest.config.ts'

const { exclude = [], ...test } = inProcess.test ?? {}

/** Runs the tests that kill processes while clients write and read. They are not part of `npm test`. */
export default defineConfig({
  ...inProcess,
  test: {
    ...test,
    include: ['test/faults/**/*.test.ts'],
    exclude: exclude.filter((pattern) => pattern !== 'test/faults/**'),
    globalSetup: ['test/support/build-service.ts'],
    // Two histories at the same time would disturb each other.
    fileParallelism: false,
  },
})
