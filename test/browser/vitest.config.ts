import { defineConfig } from 'vitest/config'

/** What needs a browser: Debian's chromium, or the one that CHROMIUM names. Apart from `npm test`. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
