import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const onServer = process.env.TEST_DATABASE_URL !== undefined

/** Returns the test files that do not use the database of the run. On a server they would only be repeated. */
function withoutDatabase(): string[] {
  const usesDatabase = /support\/(service|database|factories)\.ts|TEST_DATABASE_URL|migratedDatabase/
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !usesDatabase.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
    .map((file) => `test/${file}`)
}

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  // Tests must load the same copy of graphql-js as Mercurius, because a copy rejects the types of another.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', ...(onServer && process.env.CI ? withoutDatabase() : [])],
    globalSetup: ['test/support/build-service.ts', 'test/support/global-setup.ts'],
    // A worker with an embedded database takes about 700 MB and one core.
    pool: 'forks',
    // A worker loads modules only once. Loading them for each file would take a quarter of the time.
    isolate: false,
    execArgv: ['--import', `${import.meta.dirname}/../.config/typescript-workers.mjs`],
    // On a server, tests wait for it: a third worker saves a tenth of the time on two cores.
    maxWorkers: onServer ? 3 : 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
