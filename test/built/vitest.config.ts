import { defineConfig } from 'vitest/config'
import inProcess from '../vitest.config.ts'

const { exclude = [], ...test } = inProcess.test ?? {}
// With a PostgreSQL server, CI repeats only the tests whose processes use that server.
const onServer = process.env.CI && process.env.TEST_DATABASE_URL

/** Runs the tests that start other programs, such as the built service. They are not part of `npm test`. */
export default defineConfig({
  ...inProcess,
  test: {
    ...test,
    include: onServer ? ['test/built/{processes,stalled-log}.test.ts'] : ['test/built/**/*.test.ts'],
    exclude: exclude.filter((pattern) => pattern !== 'test/built/**'),
  },
})
