import { defineConfig } from 'vitest/config'
import inProcess from '../vitest.config.ts'

const { exclude = [], ...test } = inProcess.test ?? {}

/** Runs the tests that start other programs, such as the built service. They are not part of `npm test`. */
export default defineConfig({
  ...inProcess,
  test: {
    ...test,
    include: ['test/built/**/*.test.ts'],
    exclude: exclude.filter((pattern) => pattern !== 'test/built/**'),
  },
})
