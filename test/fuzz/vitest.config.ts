import { defineConfig } from 'vitest/config'
import inProcess from '../vitest.config.ts'

const { exclude = [], ...test } = inProcess.test ?? {}

/** Runs the random requests. `FUZZ_REQUESTS` is their number. They are not part of `npm test`. */
export default defineConfig({
  ...inProcess,
  test: {
    ...test,
    include: ['test/fuzz/**/*.test.ts'],
    exclude: exclude.filter((pattern) => pattern !== 'test/fuzz/**'),
    testTimeout: 3_600_000,
  },
})
