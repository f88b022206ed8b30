import { defineConfig } from 'vitest/config'
import inProcess from '../vitest.config.ts'

const { exclude = [], ...test } = inProcess.test ?? {}

/** Runs the tests that need many rows or use the whole schema. They are not part of `npm test`. */
export default defineConfig({
  ...inProcess,
  test: {
    ...test,
    include: ['test/large/**/*.test.ts'],
    exclude: exclude.filter((pattern) => pattern !== 'test/large/**'),
  },
})
