import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  ...['console.test.ts', 'web-app-pages.test.ts', 'network-cut.test.ts', 'long-thread.test.ts'],
  'settings.test.ts',
]

/** Starts the longest files first. Otherwise most workers would be idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}

/** Runs the tests that need a browser, with `browserOptions`. They are not part of `npm test`. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    globalSetup: 'test/support/build-service.ts',
    include: ['test/browser/**/*.test.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // A worker loads the modules only once.
    isolate: false,
    experimental: { fsModuleCache: true },
    // By default, two cores get only one worker, which leaves them idle for a quarter of the time. Three would take longer.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
