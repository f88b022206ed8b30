import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Calls `end` after the current test. Outside of tests, calls it after all tests of the file. */
export function atEnd(end: () => Promise<void> | void): void {
  if (TestRunner.getCurrentTest()) {
    onTestFinished(end)
    return
  }
  const isCollected = TestRunner.getCurrentSuite().file?.collectDuration !== undefined
  // Vitest never calls an `afterAll` that a hook adds. The next file of the worker would find what this file has left.
  if (isCollected) throw new Error('Start this in a test or at the top level of the file, but not in a hook.')
  afterAll(end)
}
