import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** Makes worker threads run the built files, because Node 20 cannot run TypeScript, and tsx starts slowly. */
const builtWorkers = {
  name: 'built-workers',
  enforce: 'pre' as const,
  transform(code: string, file: string) {
    if (!code.includes('extname(import.meta.url)')) return
    const built = file.replace('/src/', '/dist/').replace(/\.ts$/, '.js')
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(built)))
  },
}

export default defineConfig({
  plugins: [builtWorkers],
  root: `${import.meta.dirname}/..`,
  // Tests must load the same copy of graphql-js as Mercurius, because each copy rejects the types of another copy.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...['test/browser/**', 'test/built/**', 'test/faults/**', 'test/fuzz/**', 'test/large/**'],
      ...(onServer && process.env.CI ? withoutDatabase() : []),
    ],
    globalSetup: ['test/support/build-service.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    // A worker loads modules only once. Loading them for each file would take a quarter of the time.
    isolate: false,
    // Keeps the compiled modules in node_modules for other workers and later runs. One test starts in half the time.
    experimental: { fsModuleCache: true },
    // Each flag saves a tenth of the CPU time: V8 optimizes less of PGlite, and collects garbage less often.
    execArgv: ['--liftoff-only', '--max-semi-space-size=64', '--single-threaded-gc'],
    // Some tests wait. Therefore more workers than cores are faster. A worker takes about 700 MB.
    maxWorkers: onServer ? 4 : 3,
    // On a busy machine everything takes long. Only a test that fails waits until these limits.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
